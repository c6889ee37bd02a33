import type { ConversationResource, ProposalResource } from '@stagecraft/spec/api'
import { words } from '../messages.ts'
import { FactList, Page, Path, Pill, Time } from '../parts/basics.tsx'
import { number } from '../parts/format.ts'
import { Empty, Needs, Problem, Show } from '../parts/states.tsx'
import { type Column, List, PAGE, Table, useList } from '../parts/table.tsx'
import { href, navigate } from '../router.ts'
import { client } from '../service/client.ts'
import { useAction, useResource } from '../service/resource.ts'

const text = words.assistant

const CONVERSATIONS: readonly Column<ConversationResource>[] = [
  {
    title: text.conversation,
    look: 'break',
    cell: ({ id, title }) => <a href={href(`/assistant/${id}`)}>{title ?? text.untitled}</a>,
  },
  { title: text.messages, look: 'end', cell: ({ messages }) => messages },
  { title: words.time, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
]

const PROPOSALS: readonly Column<ProposalResource>[] = [
  {
    title: text.proposal,
    look: 'break',
    cell: ({ id, title }) => (
      <a href={href(`/proposals/${id}`)}>
        <Path path={title} />
      </a>
    ),
  },
  { title: words.state, cell: ({ state }) => <Pill state={state} /> },
  { title: words.time, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** Lists conversations about the dbt project, and proposals. */
export function Assistant() {
  const loaded = useList(
    'conversations',
    (cursor) => client.conversations.list({ limit: PAGE }).page({ cursor }),
    ['conversation', 'message'],
  )
  const proposals = useResource(
    'proposals',
    (signal) => client.proposals.list({ limit: 20 }, { signal }).page(),
    ['proposal', 'push'],
  )
  const { error, isBusy, run } = useAction()
  const begin = async (): Promise<void> => {
    const { id } = await client.conversations.create({})
    navigate(href(`/assistant/${id}`))
  }
  const button = (
    <button type="button" class="main" aria-disabled={isBusy} onClick={() => void run(begin)}>
      {text.create}
    </button>
  )
  return (
    <Page title={text.title} actions={button}>
      <Needs scope="read">
        <Problem error={error} title={words.problem.action} />
        <Backend />
        <List
          label={text.title}
          loaded={loaded}
          keyOf={({ id }) => id}
          columns={CONVERSATIONS}
          empty={<Empty text={text.empty}>{button}</Empty>}
        />
        <Show loaded={proposals}>
          {({ items }) =>
            items.length > 0 && (
              <>
                <h2>{text.proposals}</h2>
                <Table label={text.proposals} items={items} keyOf={({ id }) => id} columns={PROPOSALS} />
              </>
            )
          }
        </Show>
      </Needs>
    </Page>
  )
}

/** Shows the model and its token usage. */
function Backend() {
  const loaded = useResource('assistant settings', (signal) => client.assistant.settings({ signal }), [
    'project',
  ])
  return (
    <Show loaded={loaded}>
      {({ backend, tokensPerDay, tokensToday }) => (
        <FactList
          facts={{
            [text.answers]: backend ? <code>{backend}</code> : text.rules,
            [text.tokens]:
              tokensPerDay === undefined
                ? number(tokensToday)
                : text.budget(number(tokensToday), number(tokensPerDay)),
          }}
        />
      )}
    </Show>
  )
}
