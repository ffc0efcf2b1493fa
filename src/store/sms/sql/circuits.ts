import { NOW } from '../../../database/query.ts'

/** Of several instances that judge the same state, one changes it. The version has the precision of the column. */
const SAME_STATE = 'WHERE provider = $2 AND channel = $3 AND calling_code = $4 AND changed_at = $5'

/** A later time than before, even if two changes fall into a millisecond */
const CHANGED = `greatest(${NOW}, changed_at + interval '1 millisecond')`

export const PAUSE = `
  UPDATE sms_circuits SET changed_at = ${CHANGED}, retry_at = ${NOW} + make_interval(secs => $6::float) ${SAME_STATE}`

export const RESUME = `
  UPDATE sms_circuits SET changed_at = ${CHANGED}, retry_at = NULL ${SAME_STATE}`
