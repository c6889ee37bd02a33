import type { OperationData } from '@stagecraft/spec/api'
import { words } from '../messages.ts'
import { Page, Path } from '../parts/basics.tsx'
import { ConnectionField } from '../parts/connection-field.tsx'
import { number } from '../parts/format.ts'
import { Field, Form, textOf } from '../parts/forms.tsx'
import { Empty, Needs, Problem, Show } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { href, navigate, usePlace } from '../router.ts'
import { client } from '../service/client.ts'
import { useAction, useResource } from '../service/resource.ts'
import { useMay, useSession } from '../service/session.ts'
import { asType, TYPES } from './units.tsx'

const text = words.bulk

function patternsOf(text: string | null): string[] | undefined {
  const patterns = (text ?? '').split(/[\s,]+/).filter((pattern) => pattern !== '')
  return patterns.length > 0 ? patterns : undefined
}

/** Creates units for many scanned tables. The selection is in the address, and is shown before anything is created. */
export function Bulk() {
  const { query } = usePlace()
  const show = async (data: FormData): Promise<void> => {
    const fields = ['type', 'connectionId', 'select', 'exclude'].map(
      (name) => [name, textOf(data, name)] as const,
    )
    navigate(href('/bulk', { ...Object.fromEntries(fields), look: '1' }))
  }
  return (
    <Page title={text.title} up={{ href: href('/sources'), title: words.sources.title }}>
      <Needs scope="write">
        <p class="muted">{text.text}</p>
        <Form label={text.look} onSend={show}>
          <div class="field">
            <label for="bulk-type">{words.units.type}</label>
            <select id="bulk-type" name="type" defaultValue={query.get('type') ?? 'staging'}>
              {Object.keys(TYPES).map((type) => (
                <option key={type}>{type}</option>
              ))}
            </select>
          </div>
          <ConnectionField value={query.get('connectionId') ?? ''} />
          <Field
            isOptional
            name="select"
            label={text.select}
            hint={text.selectHint}
            value={query.get('select') ?? ''}
          />
          <Field
            isOptional
            name="exclude"
            label={text.exclude}
            hint={text.excludeHint}
            value={query.get('exclude') ?? ''}
          />
        </Form>
        {query.get('look') === '1' && <Selected query={query} />}
      </Needs>
    </Page>
  )
}

function Selected({ query }: { readonly query: URLSearchParams }) {
  const { say } = useSession()
  const { error, isBusy, run } = useAction()
  const mayGenerate = useMay('generate')
  const wanted = {
    type: asType(query.get('type')) ?? 'staging',
    connectionId: query.get('connectionId') ?? undefined,
    select: patternsOf(query.get('select')),
    exclude: patternsOf(query.get('exclude')),
    options: { addTests: true, addDocs: true },
  } as const
  const loaded = useResource(
    `bulk ${JSON.stringify(wanted)}`,
    (signal) => client.units.createMany({ ...wanted, dryRun: true }, { signal }),
    ['unit', 'scan'],
  )
  const start = async (): Promise<void> => {
    const { created, generationId } = await client.units.createMany({ ...wanted, generate: mayGenerate })
    say(text.done(number(created)))
    navigate(generationId === undefined ? href('/units') : href(`/generations/${generationId}`))
  }
  return (
    <Show loaded={loaded}>
      {({ created, matched, units }) =>
        matched === 0 ? (
          <Empty text={text.none} />
        ) : (
          <>
            <h2>{text.selected(number(matched), number(created))}</h2>
            <Problem error={error} title={words.problem.action} />
            <p>
              <button
                type="button"
                class="main"
                aria-disabled={isBusy}
                disabled={!mayGenerate && created === 0}
                onClick={() => void run(start)}
              >
                {mayGenerate ? text.start(number(matched)) : text.createOnly(number(created))}
              </button>
            </p>
            <Tables units={units} />
            {matched > units.length && <p class="muted">{text.cut}</p>}
          </>
        )
      }
    </Show>
  )
}

function Tables({ units }: { readonly units: OperationData<'createUnits'>['units'] }) {
  return (
    <Table
      label={text.select}
      items={units}
      keyOf={({ source }) => source}
      columns={[
        {
          title: words.units.source,
          look: 'break',
          cell: ({ source }) => (
            <code>
              <Path path={source} />
            </code>
          ),
        },
        { title: text.model, look: 'break', cell: ({ name }) => <Path path={name} /> },
        {
          title: text.unit,
          cell: ({ isNew, unitId }) =>
            isNew || unitId === undefined ? text.isNew : <a href={href(`/units/${unitId}`)}>{text.exists}</a>,
        },
      ]}
    />
  )
}
