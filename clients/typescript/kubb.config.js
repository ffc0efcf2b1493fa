import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'

export default defineConfig({
  input: { path: '../../generated/openapi.json' },
  output: { path: './generated', clean: true, extension: { '.ts': '.ts' } },
  plugins: [
    pluginOas({ generators: [], validate: false }),
    pluginTs({ output: { path: 'models' } }),
    pluginClient({ output: { path: 'clients' }, client: 'fetch', bundle: true, dataReturnType: 'full' }),
  ],
})
