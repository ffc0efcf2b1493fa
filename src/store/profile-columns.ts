// What the queries of profiles select: the members of the domain's Profile, under their names.
import { FILES_OF_ACCOUNT } from './files.ts'

export const ACCOUNT = `a.id, a.email, a.account_type AS "accountType", a.is_admin AS "isAdmin"`

const PERSON = `a.phone, a.phone_code AS "phoneCode", a.phone_verified_at IS NOT NULL AS "phoneVerified",
  a.email_verified_at IS NOT NULL AS "emailVerified", a.pending_email AS "pendingEmail",
  a.deletion_due_at AS "deletionDueAt", p.name, p.gender, p.country_id AS "countryId", p.region_id AS "regionId",
  p.city_id AS "cityId", p.nationality_id AS "nationalityId", p.type, p.longitude, p.latitude, ${FILES_OF_ACCOUNT} AS files`

const LAWYER = `(
  SELECT json_build_object(
    'firstName', l.first_name, 'secondName', l.second_name, 'thirdName', l.third_name, 'fourthName', l.fourth_name,
    'about', l.about, 'nationalId', l.national_id, 'identityType', l.identity_type,
    'birthDate', CASE WHEN l.birth_date IS NOT NULL THEN json_build_object(
      'day', extract(day FROM l.birth_date)::int,
      'month', extract(month FROM l.birth_date)::int,
      'year', extract(year FROM l.birth_date)::int) END,
    'degreeId', l.degree_id, 'otherDegree', l.other_degree, 'generalSpecialtyId', l.general_specialty_id,
    'accurateSpecialtyId', l.accurate_specialty_id, 'functionalCaseId', l.functional_case_id,
    'companyName', l.company_name, 'companyLicencesNo', l.company_licences_no, 'reviewStatus', l.review_status,
    'reviewReason', l.review_reason,
    'licences', COALESCE(
      (SELECT json_object_agg(section_id, licence_no) FROM lawyer_licences WHERE account_id = l.account_id), '{}'),
    'languages', COALESCE(
      (SELECT json_agg(language_id ORDER BY language_id) FROM lawyer_languages WHERE account_id = l.account_id), '[]'))
  FROM lawyer_profiles l WHERE l.account_id = a.id)`

/** A lawyer's data only where it is shown. */
export const PROFILE = `${ACCOUNT}, ${PERSON}, CASE WHEN a.account_type = 'lawyer' THEN ${LAWYER} END AS lawyer`

/** A lawyer's data also where it is kept for an account that is a client's now. */
export const WHOLE_PROFILE = `${ACCOUNT}, ${PERSON}, ${LAWYER} AS lawyer`
