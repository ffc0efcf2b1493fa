import { createTawthiq } from '@tawthiq/sdk'
import { createFactors } from '@tawthiq/sdk/factors'
import { createPasskeys } from '@tawthiq/sdk/passkeys'
import { webStore } from '@tawthiq/sdk/web'

const { VITE_API_URL: url = 'http://localhost:3000' } = import.meta.env

export const tawthiq = createTawthiq({ url, store: webStore(), language: 'ar' })
export const passkeys = createPasskeys(tawthiq)
export const factors = createFactors(tawthiq)
