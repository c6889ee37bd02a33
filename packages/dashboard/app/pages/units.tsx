import type { UnitResource } from '@stagecraft/spec/api'
import { useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { Page, Path, Pill, Time } from '../parts/basics.tsx'
import { ConnectionField } from '../parts/connection-field.tsx'
import { number } from '../parts/format.ts'
import { Select, Search } from '../parts/filters.tsx'
import { Confirm, Dialog, Field, Form, textOf } from '../parts/forms.tsx'
import { Empty, Needs, NoMatch } from '../parts/states.tsx'
import { type Column, List, PAGE, useList } from '../parts/table.tsx'
import { href, navigate, usePlace } from '../router.ts'
import { client } from '../service/client.ts'
import { useResource } from '../service/resource.ts'
import { useMay, useSession } from '../service/session.ts'

const text = words.units
const { bulk } = words
export const TYPES = { staging: 'staging', base: 'base', snapshot: 'snapshot' } as const
type Type = keyof typeof TYPES

/** Returns the type of model in the address; undefined for anything else. */
export function asType(value: string | null): Type | undefined {
  return value !== null && Object.hasOwn(TYPES, value) ? (value as Type) : undefined
}

/** Lists the units of the project in pages. */
export function Units() {
  const [open, setOpen] = useState<'new' | 'all'>()
  const close = () => setOpen(undefined)
  const mayWrite = useMay('write')
  const mayGenerate = useMay('generate')
  const { say } = useSession()
  const filter = useFilter()
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const generateAll = async (): Promise<void> => {
    const { id } = await client.generations.create(isFiltered ? { filter } : {})
    say(text.started)
    navigate(href(`/generations/${id}`))
  }
  const actions = (
    <>
      {mayGenerate && (
        <button type="button" onClick={() => setOpen('all')}>
          {isFiltered ? bulk.generateSelected : text.generateAll}
        </button>
      )}
      {mayWrite && (
        <a class="button" href={href('/bulk')}>
          {bulk.link}
        </a>
      )}
      {mayWrite && (
        <button type="button" class="main" onClick={() => setOpen('new')}>
          {text.create}
        </button>
      )}
    </>
  )
  return (
    <Page title={text.title} actions={actions}>
      <Needs scope="read">
        <UnitList />
      </Needs>
      {open === 'new' && <NewUnit onClose={close} />}
      {open === 'all' && (
        <GenerateAll filter={isFiltered ? filter : undefined} onClose={close} onConfirm={generateAll} />
      )}
    </Page>
  )
}

const STATES = ['new', 'generating', 'generated', 'failed'] as const
const STATE_OPTIONS = Object.fromEntries(STATES.map((state) => [state, words.states[state]]))

const CHANGES = ['source', 'files'] as const

/** Returns the filter in the address. */
function useFilter() {
  const { query } = usePlace()
  return {
    type: asType(query.get('type')),
    search: query.get('search') ?? undefined,
    state: STATES.find((one) => one === query.get('state')),
    changed: CHANGES.find((one) => one === query.get('changed')),
  }
}

interface GenerateAllProps {
  readonly filter: ReturnType<typeof useFilter> | undefined
  readonly onClose: () => void
  readonly onConfirm: () => Promise<void>
}

/** Shows the number of units to generate, and starts. */
function GenerateAll({ filter, onClose, onConfirm }: GenerateAllProps) {
  const { data } = useResource(
    `count ${JSON.stringify(filter)}`,
    (signal) => client.units.count(filter ?? {}, { signal }),
    [],
  )
  return (
    <Confirm
      title={filter ? bulk.generateSelected : text.generateAll}
      text={filter ? bulk.selectedUnits(data ? number(data.units) : '…') : text.generateAllText}
      action={text.generate}
      onClose={onClose}
      onConfirm={onConfirm}
    />
  )
}

const COLUMNS: readonly Column<UnitResource>[] = [
  {
    title: words.name,
    look: 'break',
    cell: ({ id, name }) => (
      <a href={href(`/units/${id}`)}>
        <Path path={name} />
      </a>
    ),
  },
  { title: text.source, look: 'break narrow', cell: ({ source }) => <SourceName source={source} /> },
  { title: text.type, look: 'narrow', cell: ({ type }) => type },
  {
    title: words.state,
    cell: ({ changed = [], state }) =>
      [state, ...changed].map((one) => (
        <div key={one}>
          <Pill state={one} />
        </div>
      )),
  },
  { title: text.columns, look: 'end narrow', cell: ({ columns }) => columns ?? words.none },
  {
    title: text.tests,
    look: 'break narrow',
    cell: ({ tests = [] }) => <span class="muted">{tests.join(', ')}</span>,
  },
  { title: text.generated, look: 'narrow', cell: ({ generatedAt }) => <Time at={generatedAt} /> },
]

function UnitList() {
  const filter = useFilter()
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const loaded = useList(
    `units ${JSON.stringify(filter)}`,
    (cursor) => client.units.list({ ...filter, limit: PAGE }).page({ cursor }),
    ['unit', 'generation', 'scan', 'push'],
  )
  return (
    <>
      <div class="filters">
        <Search label={text.search} name="search" />
        <Select label={words.state} name="state" options={STATE_OPTIONS} />
        <Select label={text.changed} name="changed" options={text.changes} />
        <Select label={text.type} name="type" options={TYPES} />
      </div>
      <List
        label={text.title}
        loaded={loaded}
        keyOf={({ id }) => id}
        empty={
          isFiltered ? (
            <NoMatch text={text.emptyFilter} />
          ) : (
            <Empty text={text.empty}>
              <div class="row middle">
                <a class="button" href={href('/scans')}>
                  {words.scans.title}
                </a>
                <a class="button" href={href('/sources')}>
                  {words.sources.title}
                </a>
              </div>
            </Empty>
          )
        }
        columns={COLUMNS}
      />
    </>
  )
}

function SourceName({ source }: { readonly source: string }) {
  return (
    <code>
      <Path path={source} />
    </code>
  )
}

function NewUnit({ onClose }: { readonly onClose: () => void }) {
  const create = async (data: FormData): Promise<void> => {
    const type = asType(textOf(data, 'type')) ?? 'staging'
    const { id } = await client.units.create({
      type,
      source: textOf(data, 'source'),
      connectionId: textOf(data, 'connectionId') || undefined,
      options: { addTests: true, addDocs: true },
    })
    navigate(href(`/units/${id}`))
  }
  return (
    <Dialog title={text.create} onClose={onClose}>
      <Form label={text.save} onSend={create}>
        <Field label={text.source} name="source" hint={text.sourceHint} />
        <ConnectionField />
        <div class="field">
          <label for="unit-type">{text.type}</label>
          <select id="unit-type" name="type">
            {Object.keys(TYPES).map((type) => (
              <option key={type}>{type}</option>
            ))}
          </select>
        </div>
      </Form>
    </Dialog>
  )
}
