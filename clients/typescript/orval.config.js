import { env } from 'node:process'

export default {
  tawthiq: {
    input: env.SDKS_DOCUMENT,
    output: {
      target: 'generated/client.ts',
      client: 'fetch',
      override: {
        mutator: { path: './orval-fetch.ts', name: 'customFetch', extension: '.ts' },
        formData: { path: './form-data.ts', name: 'formDataOf', extension: '.ts' },
      },
    },
  },
}
