import { type BackendSettings, chooseBackend } from '../backend/choose-backend.ts'
import { chooseProject } from '../files/choose-project.ts'
import { loadConfig } from '../files/load-config.ts'
import { openView } from '../project/open-view.ts'
import { print } from '../terminal/print.ts'
import type { AskFlags } from './ask-model.ts'
import { printComputed } from './print-computed.ts'

/** `stagecraft ask`: answers a question about a dbt project from its files; with a language model, if one is chosen. */
export async function askCommand(words: readonly string[], flags: AskFlags): Promise<void> {
  const chosen = await chooseProject([], flags.projectDir)
  if (flags.replay !== undefined) {
    const { replayTranscript } = await import('./ask-model.ts')
    return replayTranscript(flags.replay, chosen, flags)
  }
  const question = words.join(' ')
  const backend = await chosenBackend(chosen.root, flags)
  if (backend) {
    const { askModel } = await import('./ask-model.ts')
    return askModel(question, chosen, { ...flags, ...backend })
  }
  const { ask } = await import('@stagecraft/assistant')
  const answer = await ask(await openView(chosen, flags)(), question)
  if (flags.json) print(JSON.stringify(answer, null, 2))
  else printComputed(answer, chosen.fromHere)
}

/** Returns the backend that flags or the configuration choose, and the folder of that configuration. */
async function chosenBackend(
  root: string,
  { backend, baseUrl, config: path, model }: AskFlags,
): Promise<{ readonly chosen: BackendSettings; readonly folder: string } | undefined> {
  if (model === false) return undefined
  const { config, file, folder } = await loadConfig(path, root)
  const { backend: chosen } = chooseBackend(
    { ...(backend && { backend }), ...(baseUrl && { baseUrl }), ...(model && { model }) },
    config.backend,
  )
  return chosen && { chosen, folder: file === undefined ? root : folder }
}
