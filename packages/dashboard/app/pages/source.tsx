import type { OperationData, SuggestionRecord } from '@stagecraft/spec/api'
import type { ColumnProfile, Table as SourceTable } from '@stagecraft/spec'
import { words } from '../messages.ts'
import { FactList, Page, Tags, Time } from '../parts/basics.tsx'
import { number } from '../parts/format.ts'
import { Needs, Problem, Show } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { href, navigate, usePlace } from '../router.ts'
import type { PageProps } from '../page-props.ts'
import { client } from '../service/client.ts'
import { useAction, useResource } from '../service/resource.ts'
import { useMay } from '../service/session.ts'

const text = words.sources

type Source = OperationData<'getSource'>
type SourceColumn = SourceTable['columns'][number]

/** Shows a table: its columns, keys and comments from the newest scan, and its profile. */
export function Source({ params: { name = '' } }: PageProps) {
  const connectionId = usePlace().query.get('connectionId') ?? undefined
  const loaded = useResource(
    `source ${name} ${connectionId}`,
    (signal) => client.sources.get(name, { connectionId }, { signal }),
    ['scan'],
  )
  const mayWrite = useMay('write')
  const { error, isBusy, run } = useAction()
  const create = async (): Promise<void> => {
    const options = { addTests: true, addDocs: true }
    const unit = await client.units.create({ type: 'staging', source: name, connectionId, options })
    navigate(href(`/units/${unit.id}`))
  }
  const button = (
    <button type="button" class="main" aria-disabled={isBusy} onClick={() => void run(create)}>
      {text.createUnit}
    </button>
  )
  return (
    <Page title={name} up={{ href: href('/sources'), title: text.title }} actions={mayWrite && button}>
      <Needs scope="read">
        <Problem error={error} title={words.problem.action} />
        <Show loaded={loaded}>
          {(source) => (
            <>
              {source.table.comment !== undefined && <p>{source.table.comment}</p>}
              <Facts source={source} />
              <Columns source={source} />
              {source.profile && <Suggestions name={name} connectionId={connectionId} />}
            </>
          )}
        </Show>
      </Needs>
    </Page>
  )
}

function keyText(columns: readonly string[]): string {
  return columns.join(', ')
}

function Facts({
  source: { kind, observed, profile, profiledAt, scannedAt, table },
}: {
  readonly source: Source
}) {
  const { foreignKeys = [], primaryKey, uniqueKeys = [] } = table
  const references = [...foreignKeys, ...(observed?.references ?? [])]
  const found = observed?.key && `${keyText(observed.key.columns)} (${text.found})`
  return (
    <FactList
      facts={{
        [text.kind]: kind,
        [text.scanned]: <Time at={scannedAt} />,
        [text.profiled]: profile && (
          <>
            {number(profile.rows)} {profile.sampled && <span class="tag">{text.sampled}</span>}{' '}
            <span class="muted">
              <Time at={profiledAt} />
            </span>
          </>
        ),
        [text.key]: primaryKey ? keyText(primaryKey) : (found ?? words.none),
        [text.unique]: uniqueKeys.length > 0 ? uniqueKeys.map(keyText).join('; ') : undefined,
        [text.references]:
          references.length > 0
            ? references.map(({ columns, references: { columns: keys, table: parent } }) => (
                <div key={keyText(columns)}>
                  <code>{`${keyText(columns)} → ${nameOf(parent)} (${keyText(keys)})`}</code>
                </div>
              ))
            : undefined,
      }}
    />
  )
}

function nameOf({ name, schema }: { readonly name: string; readonly schema?: string | undefined }): string {
  return schema === undefined ? name : `${schema}.${name}`
}

function Columns({ source: { profile, table } }: { readonly source: Source }) {
  const profiled: readonly Column<SourceColumn>[] = profile
    ? [
        {
          title: text.nulls,
          look: 'end narrow',
          cell: ({ name }) => shareOf(profile.columns[name]?.nulls, profile.rows),
        },
        {
          title: text.distinct,
          look: 'end narrow',
          cell: ({ name }) => countOf(profile.columns[name]),
        },
        { title: text.values, look: 'break narrow', cell: ({ name }) => valuesOf(profile.columns[name]) },
      ]
    : []
  return (
    <Table
      label={text.columns}
      items={table.columns}
      keyOf={(column) => column.name}
      columns={[
        { title: text.column, look: 'break', cell: (column) => <code>{column.name}</code> },
        { title: text.type, look: 'break', cell: ({ type }) => <code>{type}</code> },
        {
          title: text.nullable,
          look: 'narrow',
          cell: ({ nullable }) => (nullable === false ? words.no : words.yes),
        },
        ...profiled,
        ...(table.columns.some(({ comment }) => comment !== undefined) ? [COMMENT] : []),
      ]}
    />
  )
}

const COMMENT: Column<SourceColumn> = {
  title: text.comment,
  look: 'break',
  cell: ({ comment }) => comment ?? '',
}

function shareOf(nulls: number | undefined, rows: number): string {
  if (nulls === undefined || rows === 0) return words.none
  return new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 }).format(nulls / rows)
}

function countOf(profile: ColumnProfile | undefined): string {
  if (profile?.distinct === undefined) return words.none
  return `${profile.approximate ? '≈ ' : ''}${number(profile.distinct)}`
}

/** The maximum number of values shown. */
const MOST_VALUES = 5

/** Returns the values of a closed list, otherwise the bounds. */
function valuesOf(profile: ColumnProfile | undefined) {
  if (!profile) return words.none
  const { max, min, values = [] } = profile
  if (values.length > 0)
    return (
      <>
        <Tags names={values.slice(0, MOST_VALUES).map(({ value }) => String(value))} />
        {values.length > MOST_VALUES && '…'}
      </>
    )
  return min === undefined ? '' : `${min} … ${max}`
}

const COLUMNS: readonly Column<SuggestionRecord>[] = [
  { title: text.column, look: 'break', cell: ({ columns }) => <code>{keyText(columns)}</code> },
  {
    title: text.suggestion,
    look: 'break',
    cell: ({ kind, text: proposal }) => (
      <>
        <span class="tag">{kind}</span> {proposal}
      </>
    ),
  },
  { title: text.why, look: 'break', cell: ({ why }) => why },
]

interface SuggestionsProps {
  readonly name: string
  readonly connectionId: string | undefined
}

/** Lists the suggestions from rows that neither the warehouse nor the configuration has. */
function Suggestions({ connectionId, name }: SuggestionsProps) {
  const loaded = useResource(
    `suggestions ${name} ${connectionId}`,
    (signal) => client.sources.suggestions({ source: name, connectionId, limit: 200 }, { signal }).page(),
    ['scan', 'project'],
  )
  return (
    <Show loaded={loaded}>
      {({ items }) =>
        items.length > 0 && (
          <>
            <h2>{text.suggestions}</h2>
            <Table label={text.suggestions} items={items} keyOf={({ id }) => id} columns={COLUMNS} />
          </>
        )
      }
    </Show>
  )
}
