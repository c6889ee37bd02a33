import { useId, useState } from 'preact/hooks'
import { version } from '../../package.json'
import { words } from '../messages.ts'
import { FactList, Id, Page, Tags, Time } from '../parts/basics.tsx'
import { readSetting, writeSetting } from '../parts/format.ts'
import { Empty, Show } from '../parts/states.tsx'
import { href, usePlace } from '../router.ts'
import { client } from '../service/client.ts'
import { useResource } from '../service/resource.ts'
import { useMay, useSession } from '../service/session.ts'
import { ConnectionActions, LastTest } from './connections.tsx'
import { AssistantForm, ProjectForm } from './project-settings.tsx'

interface ChoiceProps {
  readonly label: string
  readonly name: string
  readonly options: Readonly<Record<string, string>>
  readonly onChange?: (value: string) => void
}

/** A setting that this browser stores. */
function Choice({ label, name, onChange, options }: ChoiceProps) {
  const id = useId()
  const [value, setValue] = useState(readSetting(name) ?? Object.keys(options)[0] ?? '')
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={({ currentTarget }) => {
          setValue(currentTarget.value)
          writeSetting(name, currentTarget.value)
          onChange?.(currentTarget.value)
        }}
      >
        {Object.entries(options).map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    </div>
  )
}

/** Sets the attribute that styles depend on, or removes it. */
const mark =
  (name: 'theme' | 'density') =>
  (value: string): void => {
    if (value === '') delete document.documentElement.dataset[name]
    else document.documentElement.dataset[name] = value
  }

const TABS = Object.keys(words.settings.tabs) as (keyof typeof words.settings.tabs)[]

/** Edits the settings of this browser and those of the project. */
export function Settings() {
  const text = words.settings
  const { session } = useSession()
  const mayRead = useMay('read')
  const mayAdmin = useMay('admin')
  const asked = usePlace().query.get('tab')
  const open = TABS.filter(
    (tab) => tab === 'pages' || (mayRead && (tab === 'project' || tab === 'connection' || mayAdmin)),
  )
  const tab = open.find((one) => one === asked) ?? 'pages'
  const projectId = session?.projectId ?? ''
  return (
    <Page title={text.title}>
      <nav class="tabs" aria-label={text.title}>
        {open.map((one) => (
          <a
            key={one}
            href={href('/settings', { tab: one === 'pages' ? '' : one })}
            {...(one === tab && { 'aria-current': 'true' as const })}
          >
            {text.tabs[one]}
          </a>
        ))}
      </nav>
      {tab === 'pages' && <Pages />}
      {tab === 'project' && (
        <>
          <Project projectId={projectId} />
          {mayAdmin && <ProjectForm projectId={projectId} part="generation" />}
        </>
      )}
      {tab === 'connection' && <Connection />}
      {tab === 'git' && <ProjectForm projectId={projectId} part="git" />}
      {tab === 'model' && <AssistantForm />}
    </Page>
  )
}

function Pages() {
  const text = words.settings
  const { session } = useSession()
  return (
    <>
      <Choice label={text.theme} name="theme" options={text.themes} onChange={mark('theme')} />
      <Choice label={text.density} name="density" options={text.densities} onChange={mark('density')} />
      <Choice label={text.zone} name="zone" options={text.zones} />
      <Choice label={text.locale} name="locale" options={text.locales} />
      <h2>{text.session}</h2>
      <FactList
        facts={{
          [text.key]: session?.keyName,
          [text.scopes]: <Tags names={session?.scopes ?? []} />,
          [text.idle]: <Time at={session?.idleExpiresAt} />,
          [text.until]: <Time at={session?.expiresAt} />,
        }}
      />
      <p>
        <a href="/docs">{text.docs}</a>
      </p>
      <p class="muted">{text.version(version)}</p>
    </>
  )
}

/** Shows the default connection of units, without its secrets. */
function Connection() {
  const loaded = useResource(
    'default connection',
    async (signal) => {
      const { items } = await client.connections.list({ limit: 200 }, { signal }).page()
      return items.find(({ isDefault }) => isDefault)
    },
    ['connection', 'project'],
  )
  return (
    <Show loaded={loaded}>
      {(connection) => (
        <>
          {connection ? (
            <>
              <FactList
                facts={{
                  [words.name]: connection.name,
                  [words.connections.target]: <code>{`${connection.kind}: ${connection.target}`}</code>,
                  [words.connections.lastTest]: <LastTest connection={connection} />,
                  [words.id]: <Id id={connection.id} />,
                }}
              />
              <ConnectionActions connection={connection} reload={loaded.reload} />
            </>
          ) : (
            <Empty text={words.settings.noConnection} />
          )}
          <p>
            <a href={href('/connections')}>{words.connections.title}</a>
          </p>
        </>
      )}
    </Show>
  )
}

function Project({ projectId }: { readonly projectId: string }) {
  const text = words.settings
  const loaded = useResource('project', (signal) => client.projects.get(projectId, { signal }), ['project'])
  return (
    <Show loaded={loaded}>
      {({ dialect, git, id, name }) => (
        <FactList
          facts={{
            [words.name]: name,
            [text.ids]: <Id id={id} />,
            [text.dialect]: dialect,
            [text.git]: git ? <code>{git.remote}</code> : words.none,
          }}
        />
      )}
    </Show>
  )
}
