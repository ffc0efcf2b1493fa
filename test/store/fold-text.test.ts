// The database folds names for a search in the same way as the domain.
import fc from 'fast-check'
import t from 'tap'
import { foldText } from '../../src/domain/lookups/lookups.ts'
import { sharedService } from '../support/service/world.ts'

const letter = fc.oneof(
  fc.integer({ min: 0x41, max: 0x5a }),
  fc.constantFrom(...'àÉÎõÜñçـٱىیکةأإآؤئﷲﻻ'.split('').map((each) => each.charCodeAt(0))),
  fc.integer({ min: 0x610, max: 0x6ed }),
)
const name = fc.array(letter, { maxLength: 20 }).map((points) => String.fromCodePoint(...points))

void t.test('folds names in the database as in the domain', async (t) => {
  const { database } = await sharedService()
  const text = `SELECT fold_text(name) AS folded FROM unnest($1::text[]) WITH ORDINALITY AS n(name, at) ORDER BY at`
  const names = fc.sample(name, 1000).filter((each) => !/\s/.test(each.normalize('NFKD')))
  const { rows } = await database.pool.query<{ folded: string }>(text, [names])
  t.same(
    rows.map((row) => row.folded),
    names.map(foldText),
  )
})

void t.test('folds letters in the same way with the locale C', async (t) => {
  const { database } = await sharedService()
  const names = ['ØRSTED Łukasz', 'ΑΘΗΝΑ', 'МОСКВА Їжак', 'Müller', 'أحمد الإدريسيّ', 'ﷲ PLUS', 'مؤسسة ٱلرحمن']
  const { rows } = await database.pool.query<{ folded: string }>(
    `SELECT fold_text(name COLLATE "C") AS folded FROM unnest($1::text[]) WITH ORDINALITY AS n(name, at) ORDER BY at`,
    [names],
  )
  t.same(
    rows.map((row) => row.folded),
    names.map(foldText),
  )
})
