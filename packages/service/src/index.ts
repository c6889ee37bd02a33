export { pushFiles } from './git/push-files.ts'
export {
  type GitCredentials,
  type PushedFile,
  type PushFile,
  type PushOptions,
  type PushOutcome,
  type PushPolicy,
} from './git/push-options.ts'
