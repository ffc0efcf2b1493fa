// PDFs that run actions on the computer of the reader, or that hide their content.
import { deflateSync } from 'node:zlib'
import t from 'tap'
import { findPdfFault } from '../../../src/adapters/files/pdf/active-content.ts'
import { createContentReader } from '../../../src/adapters/files/contents.ts'
import { noise, PDF, upload } from '../../support/files/files.ts'

const pdf = (...objects: (string | Buffer)[]): Buffer =>
  Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    ...objects.map((object, index) =>
      Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]),
    ),
    Buffer.from('trailer\n<< /Root 1 0 R >>\n%%EOF\n'),
  ])

function stream(dictionary: string, data: Buffer): Buffer {
  const head = `<< ${dictionary} /Length ${data.length} >>\nstream\r\n`
  return Buffer.concat([Buffer.from(head), data, Buffer.from('\nendstream')])
}

function objectStream(objects: string, dictionary = '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode'): Buffer {
  return stream(dictionary, deflateSync(Buffer.from(`7 0 ${objects}`)))
}

const ACTIVE: Record<string, Buffer> = {
  'a script that runs when the file is opened': pdf(
    '<< /Type /Catalog /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> >>',
  ),
  'a script behind an escaped name': pdf('<< /OpenAction << /S /J#61va#53cript /JS (x) >> >>'),
  'a script of a rendition action': pdf('<< /A << /S /Rendition /JS 4 0 R >> >>'),
  'a script of a rendition action in a compressed object': pdf('/Rendition', objectStream('<< /S 1 0 R /JS (x) >>')),
  'a named script': pdf('<< /Names << /JavaScript 3 0 R >> >>'),
  'an indirect name of an action': pdf('<< /A << /S 2 0 R >> >>', '/JavaScript'),
  'a launch action': pdf('<< /A << /S /Launch /F (cmd.exe) >> >>'),
  'an attached file': pdf('<< /Names << /EmbeddedFiles 3 0 R >> >>'),
  'an attached file of a page': pdf('<< /Type /Annot /FS << /EF << /F 4 0 R >> >> >>'),
  'an XFA form': pdf('<< /AcroForm << /XFA [(template) 5 0 R] >> >>'),
  'rich media': pdf('<< /Type /Annot /Subtype /RichMedia >>'),
  'a script in a compressed object': pdf('<< /A 7 0 R >>', objectStream('<< /S /JavaScript /JS (x) >>')),
  'a script in a compressed object without a type': pdf(
    '<< /A 7 0 R >>',
    objectStream('<< /S /JavaScript /JS (x) >>', '/Filter /FlateDecode'),
  ),
}

for (const [what, bytes] of Object.entries(ACTIVE)) {
  void t.test(`rejects ${what}`, async (t) => {
    t.equal(findPdfFault(bytes), 'active')
    t.equal(await createContentReader()(await upload(bytes), 'document', 1), 'file_active_content')
  })
}

void t.test('rejects an encrypted PDF', async (t) => {
  const bytes = pdf('<< /Type /Catalog >>', '<< /Filter /Standard /V 4 >>', 'null /Encrypt 2 0 R')
  t.equal(findPdfFault(bytes), 'encrypted')
  t.equal(await createContentReader()(await upload(bytes), 'document', 1), 'file_encrypted')
})

void t.test('rejects object streams that cannot be inflated', (t) => {
  const dictionary = '/Type /ObjStm /N 1 /First 4'
  t.equal(findPdfFault(pdf(stream(`${dictionary} /Filter /ASCIIHexDecode`, Buffer.from('3720>')))), 'unreadable')
  t.equal(findPdfFault(pdf(objectStream('null', `${dictionary} /DecodeParms << /Predictor 12 >>`))), 'unreadable')
  const script = Buffer.from('7 0 << /S /JavaScript /JS (x) >>').toString('hex')
  const hidden = [
    objectStream('null', '/Filter /FlateDecode'),
    stream(`${dictionary} /Filter /AHx`, Buffer.from(script)),
  ]
  t.equal(findPdfFault(pdf(...hidden)), 'unreadable', 'behind another object stream')
  const untyped = stream('/N 1 /First 4 /Filter /A#53CIIHexDecode', Buffer.from(script))
  t.equal(findPdfFault(pdf(objectStream('null'), untyped)), 'unreadable', 'without a type')
  const bomb = deflateSync(Buffer.concat([Buffer.from('7 0 '), Buffer.alloc(80 * 1024 * 1024, ' ')]), { level: 1 })
  t.equal(findPdfFault(pdf(stream(`${dictionary} /Filter /FlateDecode`, bomb))), 'unreadable')
  t.end()
})

void t.test('accepts pages, links, images, object streams and words about scripts', async (t) => {
  const photo = noise(2 * 1024 * 1024)
  photo.set(Buffer.from('/JS( /JS</JS 4 0 R'), 1000) // random bytes can look like the key of a script
  const page = deflateSync(Buffer.from('1 0 0 1 72 720 cm BT (TypeScript and JavaScript) Tj ET'))
  const bytes = pdf(
    '<< /Type /Catalog /OpenAction [2 0 R /Fit] /Title (JavaScript, Launch and EmbeddedFiles) >>',
    '<< /Type /Annot /A << /S /URI /URI (https://example.org) >> >>',
    stream('/Filter /FlateDecode', page),
    stream('/Subtype /Image /Filter /DCTDecode', photo),
    objectStream('<< /Type /Font >>'),
    stream('/Type /XRef /Filter /FlateDecode', deflateSync(Buffer.alloc(40))),
  )
  t.equal(findPdfFault(bytes), undefined)
  t.match(await createContentReader()(await upload(bytes), 'document', 1), { type: 'application/pdf' })
  t.match(await createContentReader()(await upload(PDF), 'document', 1), { type: 'application/pdf' })
})

void t.test('takes linear time in the size of the file', (t) => {
  for (const part of ['/JS ', '/EF 1 ', 'stream\n', '%', '/#4a', '/S %']) {
    const bytes = Buffer.from(part.repeat(Math.ceil((10 * 1024 * 1024) / part.length)))
    const begin = process.cpuUsage()
    findPdfFault(bytes)
    const { user } = process.cpuUsage(begin)
    t.ok(user < 8_000_000, `${JSON.stringify(part)}: ${user / 1000} ms`)
  }
  t.end()
})
