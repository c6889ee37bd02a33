import { DIALECT_NAMES } from '@stagecraft/spec/names'
import type { AssistantSettings, ProjectResource } from '@stagecraft/spec/api'
import type { GenerationOptions } from '@stagecraft/spec'
import { words } from '../messages.ts'
import { Show } from '../parts/states.tsx'
import { type SettingRow, SettingsForm } from '../parts/settings-form.tsx'
import { client } from '../service/client.ts'
import { useResource } from '../service/resource.ts'

const text = words.projectSettings

/** The options with their own field; the others are in the text below. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  addTests: ['true', 'false'],
  addDocs: ['true', 'false'],
  casts: ['none', 'safe', 'full'],
  contract: ['true', 'false'],
  dataTypes: ['true', 'false'],
  deletedRows: ['filter', 'flag', 'keep'],
  duplicates: ['remove', 'keep'],
  metadataColumns: ['keep', 'loaded', 'drop'],
  yamlLayout: ['folder', 'model'],
  columnOrder: ['groups', 'source'],
  keysAsText: ['true', 'false'],
  testReasons: ['true', 'false'],
  leadingCommas: ['true', 'false'],
  materialized: ['view', 'table', 'ephemeral'],
}

type Values = Readonly<Record<string, string>>

interface ProjectFormProps {
  readonly projectId: string
  readonly part: 'generation' | 'git'
}

/** Edits the settings of the project for generation, or those for pushes. */
export function ProjectForm({ part, projectId }: ProjectFormProps) {
  const loaded = useResource('project', (signal) => client.projects.get(projectId, { signal }), ['project'])
  return (
    <Show loaded={loaded}>
      {(project) => (
        <SettingsForm
          key={`${part} ${project.version}`}
          title={text[part]}
          rows={part === 'git' ? gitRows(project) : generationRows(project)}
          onSave={(values) =>
            client.projects.update(
              project.id,
              part === 'git' ? { git: toGit(values) } : toGeneration(project, values),
            )
          }
        />
      )}
    </Show>
  )
}

function generationRows({
  config,
  dbtVersion,
  dialect,
  keepGenerations,
  name,
}: ProjectResource): readonly SettingRow[] {
  const { options = {}, ...others } = config
  const rest = Object.entries(options).filter(([option]) => !Object.hasOwn(OPTIONS, option))
  const more = { ...others, ...(rest.length > 0 && { options: Object.fromEntries(rest) }) }
  return [
    { name: 'name', label: words.name, value: name, isNeeded: true },
    { name: 'dialect', label: text.dialect, value: dialect, options: DIALECT_NAMES },
    { name: 'dbtVersion', label: text.dbtVersion, value: dbtVersion },
    { name: 'keepGenerations', label: text.keep, hint: text.keepHint, value: keepGenerations },
    ...Object.entries(OPTIONS).map(([option, values]) => ({
      name: option,
      label: option,
      value: chosenOf(options, option),
      options: values,
    })),
    {
      name: 'config',
      label: text.config,
      hint: text.configHint,
      value: JSON.stringify(more, null, 2),
      isLong: true,
    },
  ]
}

/** Returns the value of an option with a field: a boolean or a word. */
function chosenOf(options: GenerationOptions, option: string): string | undefined {
  const value = options[option as keyof GenerationOptions]
  return typeof value === 'boolean' || typeof value === 'string' ? String(value) : undefined
}

function toGeneration({ config }: ProjectResource, values: Values) {
  const { options = {}, ...others } = readConfig(values['config'] ?? '')
  const chosen = Object.keys(OPTIONS).flatMap((option) => {
    const value = values[option] ?? ''
    return value === '' ? [] : [[option, value === 'true' || (value === 'false' ? false : value)] as const]
  })
  const all = { ...options, ...Object.fromEntries(chosen) }
  return {
    name: values['name'] ?? '',
    // The service lists the dialects.
    dialect: (values['dialect'] || null) as ProjectResource['dialect'] | null,
    dbtVersion: values['dbtVersion'] || null,
    keepGenerations: values['keepGenerations'] ? Number(values['keepGenerations']) : null,
    config: { ...others, ...(Object.keys(all).length > 0 && { options: all }) } as typeof config,
  }
}

function readConfig(json: string): { readonly options?: object } {
  try {
    const config: unknown = JSON.parse(json === '' ? '{}' : json)
    if (typeof config === 'object' && config !== null && !Array.isArray(config)) return config
  } catch (error) {
    throw new Error(`${text.badConfig} ${String(error)}`, { cause: error })
  }
  throw new Error(text.badConfig)
}

function gitRows({ git }: ProjectResource): readonly SettingRow[] {
  const { authorEmail, authorName, branch, hasCredentials, path, remote } = git ?? {}
  const stored = hasCredentials ? text.stored : undefined
  return [
    { name: 'remote', label: text.remote, hint: text.remoteHint, value: remote },
    { name: 'branch', label: words.pushes.branch, value: branch },
    { name: 'path', label: words.findings.folder, value: path },
    { name: 'authorName', label: text.authorName, value: authorName },
    { name: 'authorEmail', label: text.authorEmail, value: authorEmail },
    { name: 'username', label: text.username, value: undefined },
    { name: 'token', label: text.token, hint: stored, isSecret: true, value: undefined },
    { name: 'privateKey', label: text.privateKey, hint: stored, isLong: true, value: undefined },
    { name: 'knownHosts', label: text.knownHosts, isLong: true, value: undefined },
  ]
}

function toGit({ remote = '', ...values }: Values) {
  if (remote === '') return null
  return { remote, ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) }
}

/** Edits the model of the assistant and proposals, and its budget. */
export function AssistantForm() {
  const loaded = useResource('assistant settings', (signal) => client.assistant.settings({ signal }), [
    'project',
  ])
  return (
    <Show loaded={loaded}>
      {(settings) => (
        <SettingsForm
          title={text.model}
          rows={modelRows(settings)}
          onSave={async (values) => {
            await client.assistant.update(toModel(values))
            loaded.reload()
          }}
        />
      )}
    </Show>
  )
}

function modelRows({
  baseUrl,
  hasKey,
  model,
  provider,
  tokensPerDay,
}: AssistantSettings): readonly SettingRow[] {
  return [
    {
      name: 'provider',
      label: text.provider,
      value: provider,
      options: ['anthropic', 'openai', 'openai-compatible'],
    },
    { name: 'model', label: text.modelName, value: model },
    { name: 'baseUrl', label: text.baseUrl, value: baseUrl },
    {
      name: 'apiKey',
      label: text.apiKey,
      hint: hasKey ? text.stored : undefined,
      isSecret: true,
      value: undefined,
    },
    { name: 'tokensPerDay', label: text.tokensPerDay, hint: text.tokensHint, value: tokensPerDay },
  ]
}

function toModel({ apiKey = '', baseUrl, model, provider, tokensPerDay = '' }: Values) {
  return {
    provider: (provider || null) as AssistantSettings['provider'] | null,
    model: model || null,
    baseUrl: baseUrl || null,
    tokensPerDay: tokensPerDay === '' ? null : Number(tokensPerDay),
    ...(apiKey !== '' && { apiKey }),
  }
}
