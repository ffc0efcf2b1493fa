// PDFs that run actions on the computer of the reader, or that hide their content.
import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import t from 'tap'
import { createContentReader } from '../../../src/adapters/files/contents.ts'
import { findPdfFault } from '../../../src/adapters/files/pdf/active-content.ts'
import { PDF, upload } from '../../support/files/files.ts'
import { objectStream, pdf, raw, stream } from '../../support/files/pdf.ts'

const SCRIPT = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>'
const LAUNCH = '<< /S /Launch /F (cmd.exe) >>'
const CATALOG = '<< /Type /Catalog /Pages 2 0 R /OpenAction 100 0 R >>'
const read = createContentReader()

/** What a file is, and its content */
type Files = Readonly<Record<string, Buffer>>

const ACTIVE: Files = {
  'a script that runs when the file is opened': pdf(`<< /Type /Catalog /OpenAction ${SCRIPT} >>`),
  'a script in an object of its own': pdf('<< /OpenAction 2 0 R >>', SCRIPT),
  'a script in a stream': pdf('<< /OpenAction << /S /JavaScript /JS 2 0 R >> >>', stream('', 'app.alert(1)')),
  'a script in a hexadecimal string': pdf('<< /OpenAction << /S /JavaScript /JS <6170702e> >> >>'),
  'a script behind an escaped type': pdf('<< /OpenAction << /S /J#61va#53cript /JS (x) >> >>'),
  'a script behind an escaped key': pdf('<< /OpenAction << /#53 /#4c#61unch /F (x) >> >>'),
  'a script without a type': pdf('<< /Names << /JavaScript << /Names [(a) << /JS 3 0 R >>] >> >> >>'),
  'a script behind a type that is a reference': pdf('<< /A << /S 2 0 R /F (x) >> >>', '/Launch'),
  'a named script': pdf('<< /Names << /JavaScript 2 0 R >> >>', `<< /Names [(start) ${SCRIPT}] >>`),
  'a script of a rendition': pdf('<< /A << /S /Rendition /JS 4 0 R >> >>'),
  'a script after another action': pdf(`<< /A << /S /URI /URI (https://example.org) /Next [${SCRIPT}] >> >>`),
  'a script when a page opens': pdf(`<< /Type /Page /AA << /O ${SCRIPT} >> >>`),
  'a script when a document closes': pdf(`<< /Type /Catalog /AA << /WC ${SCRIPT} >> >>`),
  'a script of a form field': pdf(`<< /FT /Tx /T (name) /AA << /K ${SCRIPT} >> >>`),
  'a script of a bookmark': pdf(`<< /Title (Chapter) /A ${SCRIPT} >>`),
  'a script of 3D artwork': pdf(stream('/Type /3D /Subtype /U3D /OnInstantiate 2 0 R', 'U3D')),
  'a script in a nested array': pdf(`<< /Annots [[[[ << /A ${SCRIPT} >> ]]]] >>`),
  'a script in an array': pdf(`[ ${SCRIPT} ]`),
  'a launch action': pdf(`<< /A ${LAUNCH} >>`),
  'a launch action of Windows': pdf('<< /A << /S /Launch /Win << /F (cmd.exe) /P (/c calc) >> >> >>'),
  'an action with two types, the first of which launches': pdf('<< /A << /S /Launch /S /URI /F (x) >> >>'),
  'an action with two types, the last of which launches': pdf('<< /A << /S /URI /S /Launch /F (x) >> >>'),
  'an attached file': pdf('<< /Names << /EmbeddedFiles << /Names [(a) << /EF << /F 2 0 R >> >>] >> >> >>'),
  'an attached file of a page': pdf('<< /Type /Annot /Subtype /FileAttachment /FS << /EF << /F 4 0 R >> >> >>'),
  'an attached file behind a reference': pdf('<< /Type /Filespec /F (a.exe) /EF 2 0 R >>'),
  'an associated file': pdf('<< /AF [<< /Type /Filespec /UF (a.xml) /EF << /UF 3 0 R >> >>] >>'),
  'the data of an attached file': pdf('<< >>', stream('/Type /EmbeddedFile', 'MZ')),
  'an XFA form': pdf('<< /AcroForm << /XFA [(template) 5 0 R] >> >>'),
  'an XFA form in a stream': pdf('<< /Fields [] /XFA 5 0 R >>'),
  'rich media': pdf('<< /Type /Annot /Subtype /RichMedia >>'),
  'an action of rich media': pdf('<< /A << /S /RichMediaExecute /TA 2 0 R >> >>'),
  'a script in an object stream': pdf(CATALOG, objectStream(['<< /Type /Pages >>', SCRIPT])),
  'a script in an object stream that is not compressed': pdf(
    CATALOG,
    objectStream([SCRIPT], { Filter: '' }, (plain) => plain),
  ),
  'a script in an object stream with a list of filters': pdf(
    CATALOG,
    objectStream([SCRIPT], { Filter: '[/FlateDecode]' }),
  ),
  'a script in an object stream without a type': pdf(CATALOG, objectStream([SCRIPT], { Type: '' })),
  'a script in an object stream of another type': pdf(CATALOG, objectStream([SCRIPT], { Type: '/XObject' })),
  'a script in an object stream with a wrong length': pdf(CATALOG, objectStream([SCRIPT], { Length: '0' })),
  'a script in an object stream behind an escaped name': pdf(CATALOG, objectStream(['<< /#53 /L#61unch /F (x) >>'])),
  'a script in a string of an object stream that a reference points into': pdf(
    CATALOG,
    objectStream([`(${LAUNCH})`, 'null'], { N: '2', First: '8' }, () => deflateSync(`7 0 8 1 (${LAUNCH})`)),
  ),
  'a script in an object stream within an object stream': pdf(
    objectStream(['null'], { First: '4', N: '1' }, () =>
      deflateSync(`7 0 << /N 1 /First 4 >> stream\n8 0 ${SCRIPT} endstream`),
    ),
  ),
  'a script that a later revision replaces': raw(
    `1 0 obj\n${SCRIPT}\nendobj\ntrailer\n<< >>\n%%EOF\n1 0 obj\n<< >>\nendobj\ntrailer\n<< >>\n`,
  ),
  'a script that nothing refers to': pdf('<< /Type /Catalog >>', 'null', SCRIPT),
  'a script after the end of the file': Buffer.concat([PDF, Buffer.from(`9 0 obj ${SCRIPT} endobj`)]),
  'a script without the end of its object': raw(`1 0 obj ${SCRIPT} 2 0 obj << >> endobj\n`),
  'a script without spaces around its object': raw(`1 0obj${SCRIPT}endobj\n`),
  'a script behind comments in its header': raw(`1%\n0%x\r obj % y\n${SCRIPT}\n`),
  'a script in a comment, to which a reference can point': raw(`1 0 obj << >> endobj\n%2 0 obj ${LAUNCH}\n`),
  'a script in the data of a stream, to which a reference can point': pdf(stream('', `9 0 obj ${SCRIPT} endobj`)),
  'a script behind a stream that contains its own keyword': pdf(stream('', 'stream'), SCRIPT),
  'a script behind a stream without an end': raw(`1 0 obj << /Length 9 >> stream\n2 0 obj ${SCRIPT}\n`),
  'a script in a trailer': raw(`1 0 obj << >> endobj trailer << /Root << /OpenAction ${SCRIPT} >> >>\n`),
  'a script of an encrypted file': raw(`1 0 obj ${SCRIPT} endobj trailer << /Encrypt 2 0 R >>\n`),
}

const ENCRYPTED: Files = {
  'an encrypted file': raw('1 0 obj << >> endobj trailer << /Encrypt 2 0 R /Root 1 0 R >>\n'),
  'an encrypted file with a cross-reference stream': pdf(
    stream('/Type /XRef /Encrypt 2 0 R', deflateSync('x')),
    objectStream(['null'], {}, () => randomBytes(64)),
  ),
}

const plain = (bytes: Buffer): Buffer => bytes
const UNREADABLE: Files = {
  'a file without objects': raw(),
  'a dictionary without an end': raw('1 0 obj << /A 1\nendobj\n'),
  'a dictionary with a key that is no name': pdf('<< /S /URI 1 2 >>'),
  'an unknown keyword': pdf('<< /S command >>'),
  'a string without an end': raw('1 0 obj << /A (x >>\n'),
  'an array that is nested too deeply': raw(`1 0 obj ${'['.repeat(100_000)}`),
  'an object stream that is not compressed as stated': pdf(objectStream(['null'], {}, plain)),
  'an object stream with fewer objects than stated': pdf(objectStream(['<< >>'], { N: '2' })),
  'an object stream in another encoding': pdf(
    objectStream([SCRIPT], { Filter: '/ASCIIHexDecode' }, (bytes) => `${bytes.toString('hex')}>`),
  ),
  'an object stream in an abbreviated encoding': pdf(objectStream([SCRIPT], { Filter: '/Fl' })),
  'an object stream in two encodings': pdf(objectStream([SCRIPT], { Filter: '[/FlateDecode /FlateDecode]' })),
  'an object stream whose encoding is a reference': pdf(objectStream([SCRIPT], { Filter: '9 0 R' })),
  'an object stream with a predictor': pdf(objectStream([SCRIPT], { DecodeParms: '<< /Predictor 12 >>' })),
  'an object stream with parameters behind a reference': pdf(objectStream([SCRIPT], { DecodeParms: '9 0 R' })),
  'an object stream with the other name of its encoding': pdf(objectStream([SCRIPT], { F: '/AHx' })),
  'an object stream whose number of objects is a reference': pdf(objectStream([SCRIPT], { N: '9 0 R' })),
  'an object stream with two numbers of objects': pdf(objectStream([SCRIPT], { 'N 1 /N': '0' })),
  'an object stream with data on the line of its keyword': raw('1 0 obj << /N 1 /First 4 >> stream 7 0 null\n'),
}

const ACCEPTED: Files = {
  'a small file': PDF,
  'an empty tree of attached files': pdf('<< /Names << /EmbeddedFiles 2 0 R >> >>', '<< /Names [] >>'),
  'an empty tree of attached files in place': pdf(
    '<< /Names << /EmbeddedFiles << /Names [ ] >> /JavaScript << >> >> >>',
  ),
  'an empty list of files, form and script': pdf('<< /EF << >> /AcroForm << /XFA [] /Fields [] >> /JS null >>'),
  'a link to /JavaScript': pdf('<< /A << /S /URI /URI (https://example.org/JavaScript) >> >>'),
  'a title with /JavaScript': pdf('<< /Title (Frontend/JavaScript \\(CV\\)) /Subject (/S /Launch) /Keywords </JS> >>'),
  'page text with /JavaScript': pdf(stream('', 'BT (/S /JavaScript /JS) Tj ET /Launch /EmbeddedFile')),
  'a comment with /JavaScript': raw('1 0 obj % /S /JavaScript\n<< /A % /S /Launch\n 1 >> endobj\n'),
  'marked text with the name of a script': pdf('<< /RoleMap << /JS /Code /JavaScript /Code >> >>'),
  'a photo with the bytes of a script': pdf(
    stream(
      '/Subtype /Image /Filter /DCTDecode',
      Buffer.concat([randomBytes(100_000), Buffer.from('/S/JavaScript/JS(')]),
    ),
  ),
  'object streams': pdf(CATALOG, objectStream(['<< /Type /Pages /Kids [] >>', '(/S /JavaScript)', '12', '[]'])),
  'object streams that are not compressed': pdf(
    ...Array.from({ length: 100 }, () => objectStream(['<< >>'], { Filter: '' }, plain)),
    stream('', randomBytes(1_000_000)),
  ),
  'an empty object stream': pdf(objectStream([])),
  'object streams with parameters': pdf(objectStream(['<< >>'], { DecodeParms: '<< /Predictor 1 /Columns 1 >>' })),
  'object streams beside ASCII85': pdf(
    objectStream(['<< >>']),
    stream('/Filter [/ASCII85Decode /FlateDecode]', 'GhQ~>'),
  ),
  'a cross-reference stream with a predictor': pdf(
    stream('/Type /XRef /W [1 2 1] /Filter /FlateDecode /DecodeParms << /Predictor 12 >>', deflateSync('x')),
  ),
  'a color profile, which has a number of components too': pdf(stream('/N 3 /Filter /LZWDecode', 'x')),
  'empty objects and other than dictionaries': raw(
    '1 0 obj\nendobj 2 0 obj 12 endobj 3 0 obj (x) endobj 4 0 obj null endobj\n',
  ),
  'two values of one key': pdf('<< /Title (a) /Title (b) >>'),
  'large numbers': pdf('<< /A 99999999999999999999 /B -.5 /C +3. >>'),
  'line breaks before the header': Buffer.concat([Buffer.from('\r\n\r\n'), PDF]),
  'a header of a printer before that of the file': Buffer.concat([Buffer.from('\x1b%-12345X@PJL\r\n'), PDF]),
  'a header within 1,024 bytes': Buffer.concat([Buffer.alloc(1019, ' '), PDF]),
}

const CASES = [
  { files: ACTIVE, fault: 'file_active_content' },
  { files: ENCRYPTED, fault: 'file_encrypted' },
  { files: UNREADABLE, fault: 'file_unreadable' },
] as const

for (const { files, fault } of CASES) {
  for (const [what, bytes] of Object.entries(files)) {
    void t.test(`rejects ${what}`, async (t) => {
      t.equal(findPdfFault(bytes), fault)
      t.equal(await read(await upload(bytes), 'document', 1), fault)
    })
  }
}

for (const [what, bytes] of Object.entries(ACCEPTED)) {
  void t.test(`accepts ${what}`, async (t) => {
    t.equal(findPdfFault(bytes), undefined)
    t.match(await read(await upload(bytes), 'document', 1), { type: 'application/pdf' })
  })
}

void t.test('rejects a header after 1,024 bytes', async (t) => {
  const bytes = Buffer.concat([Buffer.alloc(1020, ' '), PDF])
  t.equal(await read(await upload(bytes), 'document', 1), 'file_type_not_allowed')
})

const MEGABYTE = 1024 * 1024
const fill = (text: string, bytes = 10 * MEGABYTE): string => text.repeat(bytes / text.length)
const bomb = (megabytes: number): Buffer =>
  objectStream(['null'], {}, () => deflateSync(Buffer.alloc(megabytes * MEGABYTE, ' ')))

/** Returns arrays of 100 values each. */
function listNumbers(arrays: number, value: (number: number) => string): string[] {
  return Array.from({ length: arrays }, (_, row) => {
    const values = Array.from({ length: 100 }, (_, column) => value(100 * row + column))
    return `1 0 obj[${values.join('')}]endobj\n`
  })
}

/** What would take much time or memory without the limits */
const HOSTILE: Files = {
  'an object of more than 1.5 MB': pdf(`[${fill('1 ', 2 * MEGABYTE)}]`),
  'a string of more than 1.5 MB': pdf(`[(${fill('abc', 2 * MEGABYTE)})]`),
  'objects that contain each other': raw(fill('1 0 obj[(', 5 * MEGABYTE), fill(')]', 5 * MEGABYTE)),
  'more than 250,000 references': raw(...listNumbers(3000, (number) => `${number} 0 R `)),
  'more than 100,000 names': raw(...listNumbers(1500, (number) => `/${number}name`)),
  'names with more than a million characters': raw(...listNumbers(300, (number) => `/${number}${'x'.repeat(100)}`)),
  'space before the data of an object stream': raw(
    `1 0 obj << /N 1 /First 4 >>${fill(' ', 2 * MEGABYTE)}stream\n7 0 ${SCRIPT} endstream\n`,
  ),
  'space before an object': raw(`1 0 obj${fill(' ', 2 * MEGABYTE)}${SCRIPT}\n`),
  'a number with millions of digits at the start of an object stream': pdf(
    objectStream(['null'], {}, () => deflateSync(fill('1', 4 * MEGABYTE))),
  ),
  'an object stream of more than 13 MB': pdf(bomb(14)),
  'object streams of more than 13 MB together': pdf(...Array.from({ length: 10 }, () => bomb(6))),
  'thousands of object streams': pdf(...Array.from({ length: 7000 }, () => objectStream(['[]']))),
  'an object stream with billions of objects': pdf(objectStream(['[]'], { N: '4000000000' })),
  'object streams that contain each other': raw(fill('1 0 obj<</N 1/First 4>>stream\n1 0 ')),
}

for (const [what, bytes] of Object.entries(HOSTILE)) {
  void t.test(`rejects ${what}`, (t) => {
    t.equal(findPdfFault(bytes), 'file_unreadable')
    t.end()
  })
}

void t.test('parses an object of 700 kB, and 10 MB of objects', (t) => {
  t.equal(findPdfFault(pdf(`[${fill('1 ', 700_000)}]`)), undefined)
  t.equal(findPdfFault(raw(fill(`1 0 obj<</A 1/B[(text)]/C 2 0 R>>endobj${' '.repeat(60)}`))), undefined)
  t.end()
})
