import type { ColumnExplanation, Decision } from '@stagecraft/spec'
import { words } from '../messages.ts'
import { Path, Tags } from '../parts/basics.tsx'
import { Capped } from '../parts/capped.tsx'
import { withCode } from '../parts/prose.tsx'
import { Show } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { href, usePlace } from '../router.ts'
import { client } from '../service/client.ts'
import { useResource } from '../service/resource.ts'

const text = words.evidence

/** Stands for the whole model in the address. No column has an empty name. */
const MODEL = ' '

const code = (name: string) => (
  <code>
    <Path path={name} />
  </code>
)

function titleOf({ column, name }: ColumnExplanation): string {
  return column ?? name ?? ''
}

const valuesOf = (decisions: readonly Decision[], subject: Decision['about']): readonly string[] =>
  decisions.flatMap(({ about, value }) => (about === subject && value !== undefined ? [value] : []))

function useExplanation(unitId: string) {
  return useResource(`explanation ${unitId}`, (signal) => client.units.explain(unitId, {}, { signal }), [
    'unit',
    'generation',
  ])
}

/** Lists the columns of a unit. A click shows the evidence for the decisions about one. */
export function UnitColumns({ unitId }: { readonly unitId: string }) {
  const { path, query } = usePlace()
  const loaded = useExplanation(unitId)
  const chosen = query.get('column')
  const link = (column: string, title: string) => (
    <a
      href={href(path, { view: 'columns', column })}
      {...(column === chosen && { 'aria-current': 'true' as const })}
    >
      <Path path={title} />
    </a>
  )
  const columns: readonly Column<ColumnExplanation>[] = [
    { title: words.sources.column, look: 'break', cell: (one) => link(titleOf(one), titleOf(one)) },
    { title: words.sources.type, look: 'break narrow', cell: ({ type }) => type && <code>{type}</code> },
    {
      title: text.becomes,
      look: 'break',
      cell: ({ name }) => (name === undefined ? <span class="muted">{text.left}</span> : code(name)),
    },
    {
      title: words.units.tests,
      look: 'break',
      cell: ({ decisions }) => <Tags names={[...new Set(valuesOf(decisions, 'test'))]} />,
    },
    {
      title: text.description,
      look: 'break narrow',
      cell: ({ decisions }) => withCode(valuesOf(decisions, 'description')[0] ?? ''),
    },
  ]
  return (
    <Show loaded={loaded}>
      {(explanation) => {
        const shown = explanation.columns.find((one) => titleOf(one) === chosen)
        const decisions = chosen === MODEL ? explanation.decisions : shown?.decisions
        return (
          <>
            <p>{link(MODEL, text.model)}</p>
            {decisions && <Evidence title={shown ? titleOf(shown) : text.model} decisions={decisions} />}
            <Table label={text.columns} items={explanation.columns} keyOf={titleOf} columns={columns} />
          </>
        )
      }}
    </Show>
  )
}

/** Returns the names of a column's tests without their arguments. */
function testNames({ decisions }: ColumnExplanation): readonly string[] {
  return [...new Set(valuesOf(decisions, 'test').map((test) => test.split(' ', 1)[0] ?? test))]
}

/** Lists the columns next to the code if there is room. Each links to its evidence. */
export function ColumnList({ unitId }: { readonly unitId: string }) {
  const { path } = usePlace()
  const { data } = useExplanation(unitId)
  if (!data) return <div />
  return (
    <aside class="column-list" aria-label={text.columns}>
      <Capped items={data.columns.filter(({ name }) => name !== undefined)}>
        {(shown) => (
          <ul>
            {shown.map((one) => (
              <li key={titleOf(one)}>
                <a href={href(path, { view: 'columns', column: titleOf(one) })}>{one.name}</a>{' '}
                {one.type !== undefined && <span class="muted">{one.type}</span>}
                <div>
                  <Tags names={testNames(one)} />
                </div>
              </li>
            ))}
          </ul>
        )}
      </Capped>
    </aside>
  )
}

interface EvidenceProps {
  readonly title: string
  readonly decisions: readonly Decision[]
}

/** Shows a decision, its reason, and the keys that change it. */
function Evidence({ decisions, title }: EvidenceProps) {
  return (
    <section class="box" aria-label={text.of(title)}>
      <b>{text.of(title)}</b>
      <ul>
        {decisions.map(({ about, keys, reasons, value }, index) => (
          <li key={index}>
            <b>{about}</b> {value !== undefined && <code>{value}</code>}
            {reasons.map(({ evidence, rule, text: reason }) => (
              <div key={rule}>
                {reason} <span class="tag">{evidence}</span> <span class="muted">{rule}</span>
              </div>
            ))}
            {keys.length > 0 && (
              <div class="muted">
                {text.change} <code>{keys.join(', ')}</code>
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
