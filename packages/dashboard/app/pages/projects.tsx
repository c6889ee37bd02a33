import type { ProjectResource } from '@stagecraft/spec/api'
import { useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { Page, Time } from '../parts/basics.tsx'
import { Confirm, Dialog, Field, Form, SecretDialog, textOf } from '../parts/forms.tsx'
import { Empty, Needs } from '../parts/states.tsx'
import { type Column, List, PAGE, useList } from '../parts/table.tsx'
import { href } from '../router.ts'
import { client } from '../service/client.ts'
import { useMay, useSession } from '../service/session.ts'

const text = words.projects

const COLUMNS: readonly Column<ProjectResource>[] = [
  {
    title: words.name,
    look: 'break',
    cell: ({ name }) => (
      <>
        <a href={href('/settings', { tab: 'project' })}>{name}</a> <span class="tag">{text.yours}</span>
      </>
    ),
  },
  { title: text.dialect, look: 'narrow', cell: ({ dialect }) => dialect ?? text.dialectDefault },
  {
    title: text.git,
    look: 'break narrow',
    cell: ({ git }) => (git ? <code>{git.remote}</code> : words.none),
  },
  { title: text.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** Lists the projects that the key opens, and creates others, each with its own key. */
export function Projects() {
  const [deleted, setDeleted] = useState<ProjectResource>()
  const mayAdmin = useMay('admin')
  const loaded = useList('projects', (cursor) => client.projects.list({ limit: PAGE }).page({ cursor }), [
    'project',
  ])
  const action: Column<ProjectResource> = {
    title: words.actions,
    cell: (project) => (
      <button
        type="button"
        class="danger"
        aria-label={`${words.delete} ${project.name}`}
        onClick={() => setDeleted(project)}
      >
        {words.delete}
      </button>
    ),
  }
  return (
    <Page title={text.title} actions={mayAdmin && <Create />}>
      <Needs scope="read">
        <p class="muted">{text.text}</p>
        <List
          label={text.title}
          loaded={loaded}
          keyOf={({ id }) => id}
          empty={<Empty text={text.empty}>{mayAdmin && <Create />}</Empty>}
          columns={mayAdmin ? [...COLUMNS, action] : COLUMNS}
        />
      </Needs>
      {deleted && <Delete project={deleted} onClose={() => setDeleted(undefined)} />}
    </Page>
  )
}

function Create() {
  const [isOpen, setOpen] = useState(false)
  const [secret, setSecret] = useState<string>()
  const create = async (data: FormData): Promise<void> => {
    const { key } = await client.projects.create({ name: textOf(data, 'name') })
    setOpen(false)
    setSecret(key.secret)
  }
  return (
    <>
      <button type="button" class="main" onClick={() => setOpen(true)}>
        {text.create}
      </button>
      {isOpen && (
        <Dialog title={text.create} onClose={() => setOpen(false)}>
          <Form label={text.save} onSend={create}>
            <Field label={words.name} name="name" />
          </Form>
        </Dialog>
      )}
      {secret !== undefined && (
        <SecretDialog
          title={text.keyTitle}
          text={text.keyText}
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  )
}

interface DeleteProps {
  readonly project: ProjectResource
  readonly onClose: () => void
}

function Delete({ onClose, project: { id, name } }: DeleteProps) {
  const { leave, say } = useSession()
  return (
    <Confirm
      isDanger
      title={text.deleteTitle}
      text={text.deleteText}
      action={words.delete}
      name={name}
      onClose={onClose}
      onConfirm={async () => {
        await client.projects.delete(id)
        leave()
        say(text.deleted)
      }}
    />
  )
}
