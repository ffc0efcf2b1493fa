import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'
import { env } from 'node:process'

export default defineConfig({
  input: { path: env.SDKS_DOCUMENT },
  output: { path: './generated', clean: true, extension: { '.ts': '.ts' } },
  plugins: [
    pluginOas({ generators: [], validate: false }),
    pluginTs({ output: { path: 'models' } }),
    pluginClient({ output: { path: 'clients' }, client: 'fetch', bundle: true, dataReturnType: 'full' }),
  ],
})
