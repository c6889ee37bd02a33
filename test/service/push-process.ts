// A push in a process of its own, for tests that kill it: `node push-process.ts '{"remote": …}'`.
import { pushFiles } from '../../packages/service/src/git/push-files.ts'
import type { GitCredentials } from '../../packages/service/src/git/push-options.ts'

export interface PushProcess {
  readonly remote: string
  readonly folder: string
  readonly credentials: GitCredentials
  readonly programs: { readonly git?: string; readonly ssh?: string }
}

await pushFiles({
  ...(JSON.parse(process.argv[2] ?? '{}') as PushProcess),
  branch: 'main',
  message: 'Staging models',
  author: { name: 'Stagecraft', email: 'stagecraft@localhost' },
  files: [{ path: 'models/a.sql', content: 'select 1\n' }],
  lastPushed: new Map(),
  policy: { allowLocal: false, allowPrivateHosts: true },
  lookup: async () => [{ address: '127.0.0.1', family: 4 }],
})
