import type { ComputedAnswer, Item } from '@stagecraft/assistant'
import { type BackendSettings, chooseBackend } from '../backend/choose-backend.ts'
import { chooseProject } from '../files/choose-project.ts'
import { loadConfig } from '../files/load-config.ts'
import { openView } from '../project/open-view.ts'
import { paint } from '../terminal/paint.ts'
import { print } from '../terminal/print.ts'
import type { AskFlags } from './ask-flags.ts'

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

/** @param prefix The path from the current folder to the project. */
export function printComputed({ counted, head, items, notes, readAs }: ComputedAnswer, prefix: string): void {
  print(paint('bold', readAs))
  for (const [field, value] of Object.entries(head)) print(describe(field, value, prefix))
  print(`${items.length} ${counted}${items.length > 0 ? ':' : ''}`)
  for (const item of items) print(describeItem(item, prefix))
  for (const note of notes) print(paint('yellow', `note: ${note}`))
  print(paint('dim', 'computed from the files of the project, without a language model'))
}
function describe(field: string, value: unknown, prefix: string): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${field}: ${show(value)}`
  if ('file' in value && 'line' in value && 'id' in value) {
    const text = 'text' in value ? `  ${show(value.text)}` : ''
    return `${prefix}${show(value.file)}:${show(value.line)}  ${show(value.id)}${text}`
  }
  const parts = Object.entries(value).map(([key, inner]) => `${key} ${show(inner)}`)
  return `${field}: ${parts.join(', ') || 'none'}`
}

/** Fields of items that are printed without their names. */
const PLACED = new Set(['id', 'kind', 'file', 'line', 'text', 'score', 'via', 'distance', 'fixable'])

function describeItem(item: Item, prefix: string): string {
  const { file, id, line, text } = item
  const others = Object.entries<unknown>(item)
    .filter(([field]) => !PLACED.has(field))
    .map(([field, value]) => `${field}: ${show(value)}`)
  return `  ${prefix}${file}:${line}  ${[id, text, ...others].filter(Boolean).join('  ')}`
}

function show(value: unknown): string {
  if (Array.isArray(value)) return value.map(show).join(', ') || 'none'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
