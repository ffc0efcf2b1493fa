module.exports = {
  tawthiq: {
    input: '../../generated/openapi.json',
    output: {
      target: 'generated/client.ts',
      client: 'fetch',
      override: {
        mutator: { path: './orval-fetch.ts', name: 'customFetch' },
        formData: { path: './form-data.ts', name: 'formDataOf' },
      },
    },
  },
}
