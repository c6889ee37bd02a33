import { useId, useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { Page, Tags, Time } from '../parts/basics.tsx'
import { readSetting, writeSetting } from '../parts/format.ts'
import { Show } from '../parts/states.tsx'
import { client } from '../service/client.ts'
import { useResource } from '../service/resource.ts'
import { useMay, useSession } from '../service/session.ts'
import { AssistantForm, ProjectForms } from './project-settings.tsx'

interface ChoiceProps {
  readonly label: string
  readonly name: string
  readonly options: Readonly<Record<string, string>>
  readonly onChange?: (value: string) => void
}

/** A choice that this browser keeps. */
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

function showTheme(theme: string): void {
  if (theme === '') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

/** The session, the project, and how the pages look in this browser. */
export function Settings() {
  const text = words.settings
  const { session } = useSession()
  const mayRead = useMay('read')
  const mayAdmin = useMay('admin')
  return (
    <Page title={text.title}>
      <h2>{text.look}</h2>
      <Choice label={text.theme} name="theme" options={text.themes} onChange={showTheme} />
      <Choice label={text.zone} name="zone" options={text.zones} />
      <h2>{text.session}</h2>
      <dl>
        <dt>{text.key}</dt>
        <dd>{session?.keyName}</dd>
        <dt>{text.scopes}</dt>
        <dd>
          <Tags names={session?.scopes ?? []} />
        </dd>
        <dt>{text.idle}</dt>
        <dd>
          <Time at={session?.idleExpiresAt} />
        </dd>
        <dt>{text.until}</dt>
        <dd>
          <Time at={session?.expiresAt} />
        </dd>
      </dl>
      {mayRead && session && <Project projectId={session.projectId} />}
      {mayAdmin && session && (
        <>
          <ProjectForms projectId={session.projectId} />
          <AssistantForm />
        </>
      )}
      <p>
        <a href="/docs">{text.docs}</a>
      </p>
    </Page>
  )
}

function Project({ projectId }: { readonly projectId: string }) {
  const text = words.settings
  const loaded = useResource('project', (signal) => client.projects.get(projectId, { signal }), ['project'])
  return (
    <>
      <h2>{text.project}</h2>
      <Show loaded={loaded}>
        {({ dialect, git, id, name }) => (
          <dl>
            <dt>{words.name}</dt>
            <dd>{name}</dd>
            <dt>{text.ids}</dt>
            <dd>
              <code>{id}</code>
            </dd>
            {dialect !== undefined && (
              <>
                <dt>{text.dialect}</dt>
                <dd>{dialect}</dd>
              </>
            )}
            <dt>{text.git}</dt>
            <dd>{git ? <code>{git.remote}</code> : words.none}</dd>
          </dl>
        )}
      </Show>
    </>
  )
}
