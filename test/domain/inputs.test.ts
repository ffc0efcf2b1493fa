// How each kind of text is cleaned before it is judged. A report of another text is one more row.
import t from 'tap'
import { cleanInput, type InputKind } from '../../src/domain/inputs.ts'

const cases: Readonly<Record<InputKind, Readonly<Record<string, string>>>> = {
  phone: {
    '\u202A+966 51 234 5678\u202C': '+966512345678', // contacts of Windows and macOS
    '\u2066+966512345678\u2069': '+966512345678', // contacts of iOS
    '\u200E0512345678\u200F': '0512345678',
    '\u061C٠٥١٢٣٤٥٦٧٨': '0512345678',
    '+966\u00A051\u00A0234\u00A05678': '+966512345678', // Word
    '051\u2011234\u20115678': '0512345678',
    '051–234–5678': '0512345678',
    '(051) 234.5678': '0512345678',
    '\t0512345678\n': '0512345678',
    '\uFEFF0512345678\u200B': '0512345678',
    '０５１２３４５６７８': '0512345678',
    '＋966512345678': '+966512345678',
    'tel:+966-51-234-5678': '+966512345678', // a copied link
    'TEL:0512345678': '0512345678',
    '\u200F۰۵۱۲۳۴۵۶۷۸': '0512345678',
    ' +966': '+966',
    '00 966': '00966',
    '05123x': '05123x',
  },
  code: {
    '493 027': '493027',
    '493-027': '493027',
    '٤٩٣ ٠٢٧': '493027',
    '４９３０２７': '493027',
    '\u2068493027\u2069': '493027', // Android wraps codes in isolates
    'abcd 2345‑efgh': 'ABCD2345EFGH',
  },
  identifier: { ' 1012345672\u200F': '1012345672', '١٠١٢ ٣٤٥ ٦٧٢': '1012345672', 'A–123': 'A-123' },
  plain: { ' ٠٥٠ ': '050', '\u202A050\u00A0123\u202C': '050 123', 'سارة\u200Cها': 'سارة\u200Cها', '−٤٦': '-46' },
  text: {
    ' سارة العتيبي': 'سارة العتيبي',
    'سارة العتيبي\u00A0': 'سارة العتيبي',
    '\u202Bسارة العتيبي\u202C': 'سارة العتيبي',
    '\u200Fسارة\u200E\uFEFF': 'سارة',
    'مهدی\u200Cزاده': 'مهدی\u200Cزاده',
    'سارة\u202Eالعتيبي': 'سارة\u202Eالعتيبي',
    'ＡＢ １': 'ＡＢ １',
    '\t \n': '\t \n', // a blank name is invalid
  },
  email: {
    ' Client@Demo.Test ': 'client@demo.test',
    '\u202Aclient@demo.test\u202C': 'client@demo.test',
    'client\u200B@demo.test': 'client@demo.test',
    'client@my‑site.test': 'client@my-site.test',
    'client@موقع.السعودية': 'client@xn--4gbrim.xn--mgberp4a5d4ar',
    'client@xn--4gbrim.xn--mgberp4a5d4ar': 'client@xn--4gbrim.xn--mgberp4a5d4ar',
    'client@Bücher.Example': 'client@xn--bcher-kva.example',
    'cl ient@demo.test': 'cl ient@demo.test',
    'سارة@demo.test': 'سارة@demo.test',
    'client@ة/../x': 'client@ة/../x',
  },
}

for (const [kind, texts] of Object.entries(cases) as [InputKind, Record<string, string>][])
  void t.test(`cleans texts of the kind ${kind}`, (t) => {
    for (const [given, cleaned] of Object.entries(texts)) {
      t.equal(cleanInput(kind, given), cleaned, JSON.stringify(given))
      t.equal(cleanInput(kind, cleaned), cleaned, 'a cleaned text remains as it is')
    }
    t.end()
  })

void t.test('rejects long texts of odd characters at once', (t) => {
  for (const kind of Object.keys(cases) as InputKind[])
    for (const odd of [' ', '\u200E', '\uFDFA', '-']) {
      const startedMs = performance.now()
      t.ok(cleanInput(kind, `a${odd.repeat(1_000_000)}a`).length > 254)
      t.ok(performance.now() - startedMs < 200, `${kind} ${JSON.stringify(odd)}`)
    }
  t.end()
})
