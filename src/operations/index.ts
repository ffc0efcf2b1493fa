import type { Operations } from '../contract.ts'
import { checkAdmin } from './checkAdmin.ts'
import { checkPhone } from './checkPhone.ts'
import { checkToken } from './checkToken.ts'
import { confirmPhone } from './confirmPhone.ts'
import { getJwks } from './getJwks.ts'
import { getProfile } from './getProfile.ts'
import { login } from './login.ts'

export const operations: Operations = { checkAdmin, checkPhone, checkToken, confirmPhone, getJwks, getProfile, login }
