import { words } from '../messages.ts'
import { CopyButton, Page } from '../parts/basics.tsx'
import { Code } from '../parts/code.tsx'
import { Needs, Show } from '../parts/states.tsx'
import { href, usePlace } from '../router.ts'
import { client } from '../service/client.ts'
import { useResource } from '../service/resource.ts'

const text = words.assistant

/** Shows a file of the dbt project. The lines in the address are marked and scrolled into view. */
export function ProjectFile() {
  const { query } = usePlace()
  const path = query.get('path') ?? ''
  const [first, last] = ['line', 'end'].map((name) => Number(query.get(name)))
  const loaded = useResource(`project file ${path}`, (signal) => client.assistant.file(path, { signal }), [
    'push',
    'project',
  ])
  return (
    <Page
      title={path === '' ? text.file : path}
      up={{ href: href('/assistant'), title: text.title }}
      actions={loaded.data !== undefined && <CopyButton text={loaded.data} />}
    >
      <Needs scope="read">
        <p class="muted">{text.fileText}</p>
        <Show loaded={loaded}>
          {(content) => <Code text={content} path={path} marked={{ first: first ?? 0, last: last ?? 0 }} />}
        </Show>
      </Needs>
    </Page>
  )
}
