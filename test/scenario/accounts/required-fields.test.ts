// The required fields of a profile, in every combination of the values that they depend on. The test states them again
// from the interface (4.5), not from the code.
import t from 'tap'
import { clientForm, lawyerForm, picture } from '../../support/accounts/profile-forms.ts'
import type { Form, Send } from '../../support/service/sender.ts'
import { openWorld, type Person, type World } from '../../support/service/world.ts'

type Combination = {
  accountType: 'client' | 'lawyer'
  type: 1 | 2 | 3 | 4 | 5
  /** 1 requires a certificate, 4 is "other" and requires one too, 7 requires none */
  degree: 1 | 4 | 7
  sendsCertificate: boolean
  sendsSections: boolean
  phone: 'same' | 'new, 966' | 'new, 20'
  /** Whether a company (type 2) with degree 1 and all files is stored */
  onFile: boolean
}

const BOTH = [true, false] as const
/** The form of a client has none of these fields. */
const choicesOf = {
  client: { degrees: [1], certificates: [false], sections: [false] },
  lawyer: { degrees: [1, 4, 7], certificates: BOTH, sections: BOTH },
} as const

const combinations: Combination[] = (['client', 'lawyer'] as const).flatMap((accountType) =>
  ([1, 2, 3, 4, 5] as const).flatMap((type) =>
    choicesOf[accountType].degrees.flatMap((degree) =>
      choicesOf[accountType].certificates.flatMap((sendsCertificate) =>
        choicesOf[accountType].sections.flatMap((sendsSections) =>
          (['same', 'new, 966', 'new, 20'] as const).flatMap((phone) =>
            BOTH.map((onFile) => ({
              accountType,
              type,
              degree,
              sendsCertificate,
              sendsSections,
              phone,
              onFile,
            })),
          ),
        ),
      ),
    ),
  ),
)

function missing({ accountType, type, degree, sendsCertificate, sendsSections, phone, onFile }: Combination): string[] {
  const isCompany = type === 2 || type === 3
  const ofLawyer = {
    national_id_image: !onFile,
    degree_certificate: degree !== 7 && !sendsCertificate && !(onFile && degree === 1),
    other_degree: degree === 4,
    license_no: sendsSections,
    company_name: type !== 1,
    company_licences_no: isCompany,
    company_license_file: isCompany && !(onFile && type === 2),
  }
  const fields = { otp: phone === 'new, 966', ...(accountType === 'lawyer' && ofLawyer) }
  return Object.entries(fields).flatMap(([field, is]) => (is ? [field] : []))
}

/** A form that is always rejected, because its gender is unknown, so that nothing changes */
function formOf(combination: Combination, person: Person, phones: Record<Combination['phone'], string>): Form {
  const { accountType, type, degree, sendsCertificate, sendsSections, phone } = combination
  const common = { type: String(type), phone_code: phone === 'new, 20' ? '20' : '966', gender: 'x' }
  const whose = { ...person, phone: phones[phone] }
  if (accountType === 'client') return clientForm(whose, common)
  const { national_id_image: _image, degree_certificate: _certificate, ...form } = lawyerForm(whose, common)
  return {
    ...form,
    degree: String(degree),
    ...(sendsCertificate && { degree_certificate: picture() }),
    ...(sendsSections && { sections: '[101]' }),
  }
}

async function withEverythingOnFile(world: World, send: Send): Promise<Person> {
  const person = await world.person()
  const company = { type: '2', company_name: 'مكتب', company_licences_no: '1010', company_license_file: picture() }
  const { status, body } = await send({ token: await person.token(), form: lawyerForm(person, company) })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return person
}

void t.test(`requires exactly the expected fields in ${combinations.length} combinations`, async (t) => {
  const world = await openWorld()
  const send = world.send('updateProfile')
  const people = { none: await world.person(), all: await withEverythingOnFile(world, send) }
  const tokens = { none: await people.none.token(), all: await people.all.token() }
  const egyptian = `010${world.newPhone().slice(3)}1`
  const saudi = world.newPhone()
  const wrong: string[] = []
  for (const combination of combinations) {
    const who = combination.onFile ? 'all' : 'none'
    const phones = { same: people[who].phone, 'new, 966': saudi, 'new, 20': egyptian }
    const { status, body } = await send({ token: tokens[who], form: formOf(combination, people[who], phones) })
    const codes = body.data.codes as Record<string, string[]>
    const found = Object.keys(codes).filter((field) => codes[field]?.join() === 'required')
    const others = Object.keys(codes).filter((field) => codes[field]?.join() !== 'required')
    const isRight = status === 422 && found.sort().join() === missing(combination).sort().join()
    if (!isRight || others.join() !== 'gender') wrong.push(`${JSON.stringify(combination)}: ${JSON.stringify(codes)}`)
  }
  t.same(wrong, [])
})
