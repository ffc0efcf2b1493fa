import type { enumerationsIn } from '../../src/messages/enumerations.ts'
import type { Language } from '../../src/messages/index.ts'

export type Group = 'account' | 'identity' | 'location' | 'qualification' | 'practice' | 'company'

type Text = Readonly<Record<Language, string>>

/** What a form shows of a field, in the order of the form */
export type FieldLabel = { group: Group; title: Text; hint?: Text }

const label = (group: Group, en: string, ar: string, hint?: Text): FieldLabel => ({
  group,
  title: { en, ar },
  ...(hint && { hint }),
})

export const FIELD_LABELS: Readonly<Record<string, FieldLabel>> = {
  account_type: label('account', 'Account type', 'نوع الحساب'),
  email: label('account', 'E-mail address', 'البريد الإلكتروني'),
  phone_code: label('account', 'Country code', 'رمز الدولة', { en: 'For example 966.', ar: 'مثل 966.' }),
  phone: label('account', 'Phone number', 'رقم الجوال'),
  otp: label('account', 'Verification code', 'رمز التحقق', {
    en: 'Required if the number changes and the country code is 966.',
    ar: 'مطلوب عند تغيير الرقم إذا كان رمز الدولة 966.',
  }),
  password: label('account', 'New password', 'كلمة المرور الجديدة', {
    en: 'Leave it out to keep the current password.',
    ar: 'اتركها للإبقاء على كلمة المرور الحالية.',
  }),
  name: label('identity', 'Full name', 'الاسم الكامل'),
  first_name: label('identity', 'First name', 'الاسم الأول'),
  second_name: label('identity', 'Second name', 'الاسم الثاني'),
  third_name: label('identity', 'Third name', 'الاسم الثالث'),
  fourth_name: label('identity', 'Fourth name', 'الاسم الرابع'),
  gender: label('identity', 'Gender', 'الجنس'),
  nationality_id: label('identity', 'Nationality', 'الجنسية'),
  identity_type: label('identity', 'Identity document', 'نوع الهوية'),
  national_id: label('identity', 'Identity number', 'رقم الهوية'),
  national_id_image: label('identity', 'Image of the identity document', 'صورة الهوية'),
  day: label('identity', 'Day of birth', 'يوم الميلاد'),
  month: label('identity', 'Month of birth', 'شهر الميلاد'),
  year: label('identity', 'Year of birth', 'سنة الميلاد', { en: 'Gregorian calendar.', ar: 'بالتاريخ الميلادي.' }),
  profile_photo: label('identity', 'Profile photo', 'الصورة الشخصية'),
  country_id: label('location', 'Country', 'الدولة'),
  region_id: label('location', 'Region', 'المنطقة'),
  city_id: label('location', 'City', 'المدينة'),
  longitude: label('location', 'Longitude', 'خط الطول'),
  latitude: label('location', 'Latitude', 'خط العرض'),
  degree: label('qualification', 'Degree', 'المؤهل العلمي'),
  other_degree: label('qualification', 'Name of the degree', 'اسم المؤهل'),
  degree_certificate: label('qualification', 'Degree certificate', 'شهادة المؤهل'),
  general_specialty: label('qualification', 'General specialty', 'التخصص العام'),
  accurate_specialty: label('qualification', 'Specialty', 'التخصص الدقيق'),
  languages: label('qualification', 'Languages', 'اللغات'),
  cv_file: label('qualification', 'CV', 'السيرة الذاتية'),
  about: label('practice', 'About you', 'نبذة عنك'),
  functional_cases: label('practice', 'Employment status', 'الحالة الوظيفية'),
  sections: label('practice', 'Sections of the digital guide', 'أقسام الدليل الرقمي'),
  license_no: label('practice', 'Licence numbers', 'أرقام التراخيص', {
    en: 'One number for each section.',
    ar: 'رقم لكل قسم.',
  }),
  type: label('company', 'User type', 'نوع المستخدم'),
  company_name: label('company', 'Name of the company or body', 'اسم الشركة أو الجهة'),
  company_licences_no: label('company', 'Licence number of the company', 'رقم ترخيص الشركة'),
  company_license_file: label('company', 'Licence of the company', 'ترخيص الشركة'),
  logo: label('company', 'Logo', 'الشعار'),
}

export const GROUP_TITLES: Readonly<Record<Group, Text>> = {
  account: { en: 'Account', ar: 'الحساب' },
  identity: { en: 'Personal details', ar: 'البيانات الشخصية' },
  location: { en: 'Location', ar: 'الموقع' },
  qualification: { en: 'Qualifications', ar: 'المؤهلات' },
  practice: { en: 'Practice', ar: 'الممارسة المهنية' },
  company: { en: 'Company', ar: 'الشركة' },
}

/**
 * A lookup that contains the values of a field. A dependent one names the field that its values depend on, and the query
 * parameter for it. `members` names the member of each item that lists the values, if the items are not the values themselves.
 */
export type FieldLookup = { set: string; parent?: string; query?: string; members?: string }

export const FIELD_LOOKUPS: Readonly<Record<string, FieldLookup>> = {
  country_id: { set: 'countries' },
  region_id: { set: 'regions', parent: 'country_id', query: 'country_id' },
  city_id: { set: 'cities', parent: 'region_id', query: 'region_id' },
  nationality_id: { set: 'nationalities' },
  degree: { set: 'degrees' },
  general_specialty: { set: 'general-specialties' },
  accurate_specialty: { set: 'accurate-specialties', parent: 'general_specialty', query: 'general_specialty_id' },
  functional_cases: { set: 'functional-cases' },
  languages: { set: 'languages' },
  sections: { set: 'digital-guide-categories', members: 'sections' },
}

/** The lookups of the enumerations, as src/messages/enumerations.ts names them */
export const FIELD_ENUMERATIONS: Readonly<Record<string, keyof ReturnType<typeof enumerationsIn>>> = {
  gender: 'genders',
  type: 'types',
  identity_type: 'identity_types',
}
