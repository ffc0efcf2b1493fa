// The signed text of seals. A change would make the seals of earlier versions invalid.
import t from 'tap'
import { sealText, toLines } from '../../src/domain/audit/audit-seal.ts'

const at = new Date('2026-11-22T10:00:00.123Z')

void t.test('serializes events as one line of JSON each', (t) => {
  const event = { id: 9007199254740993n, at, event: 'login', accountId: 7, actorId: null, requestId: 'a"b' }
  t.equal(
    toLines([event, { ...event, id: 2n, accountId: null, actorId: 3, requestId: null }]),
    '["9007199254740993","2026-11-22T10:00:00.123Z","login",7,null,"a\\"b"]\n' +
      '["2","2026-11-22T10:00:00.123Z","login",null,3,null]\n',
  )
  t.equal(toLines([]), '')
  t.end()
})

void t.test('signs every column of a seal', (t) => {
  const seal = {
    number: 3,
    fromId: 11n,
    toId: 20n,
    rows: 9,
    lastAt: at,
    hash: 'abcd',
    sealedAt: new Date('2026-11-22T11:00:00.000Z'),
    keyId: 'key',
  }
  t.equal(
    sealText(seal),
    '["tawthiq audit seal 1",3,"11","20",9,"2026-11-22T10:00:00.123Z","2026-11-22T11:00:00.000Z","abcd","key"]',
  )
  t.end()
})
