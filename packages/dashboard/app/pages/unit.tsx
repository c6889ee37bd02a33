import type { GenerationRecord, UnitResource } from '@stagecraft/spec/api'
import { useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { CopyButton, Id, Page, Path, Tags, Time } from '../parts/basics.tsx'
import { Code } from '../parts/code.tsx'
import { Diff, linesOf } from '../parts/diff.tsx'
import { Confirm } from '../parts/forms.tsx'
import { Failure, Warnings } from '../parts/jobs.tsx'
import { saveText } from '../parts/save-text.ts'
import { Empty, Needs, Problem, Show } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { href, navigate, setQuery, usePlace } from '../router.ts'
import type { PageProps } from '../page-props.ts'
import { client } from '../service/client.ts'
import { type Action, useAction, useResource } from '../service/resource.ts'
import { useMay } from '../service/session.ts'
import { BranchDiff, CompareWithBranch } from './branch-diff.tsx'
import { generationColumns } from './generations.tsx'
import { ColumnList, UnitColumns } from './unit-columns.tsx'

const text = words.units

/** Shows a unit: the files of its newest generation, and its state. */
export function Unit({ params: { unitId = '' } }: PageProps) {
  const [isDeleting, setDeleting] = useState(false)
  const loaded = useResource(
    `unit ${unitId}`,
    async (signal) => {
      const unit = await client.units.get(unitId, { signal })
      const { items } = await client.generations.list({ unitId, limit: 10 }, { signal }).page()
      return { unit, generations: items }
    },
    ['unit', 'generation', 'scan', 'push'],
  )
  const action = useAction()
  const generate = async (): Promise<void> => {
    const { id } = await client.generations.create({ unitId })
    await client.generations.wait(id)
    loaded.reload()
  }
  return (
    <Page
      title={loaded.data?.unit.name ?? text.unit}
      up={{ href: href('/units'), title: text.title }}
      actions={
        <Actions action={action} generate={generate} remove={loaded.data && (() => setDeleting(true))} />
      }
    >
      <Needs scope="read">
        <Problem error={action.error} title={words.problem.action} />
        <Show loaded={loaded}>
          {({ generations, unit }) => <Shown unit={unit} generations={generations} />}
        </Show>
      </Needs>
      {isDeleting && (
        <Confirm
          isDanger
          title={text.deleteTitle}
          text={text.deleteText}
          action={words.delete}
          name={loaded.data?.unit.name ?? ''}
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await client.units.delete(unitId)
            navigate(href('/units'))
          }}
        />
      )}
    </Page>
  )
}

interface ActionsProps {
  readonly action: Action
  readonly generate: () => Promise<void>
  readonly remove: (() => void) | undefined
}

function Actions({ action, generate, remove }: ActionsProps) {
  const mayGenerate = useMay('generate')
  const mayWrite = useMay('write')
  return (
    <>
      {mayGenerate && (
        <button
          type="button"
          class="main"
          aria-disabled={action.isBusy}
          onClick={() => void action.run(generate)}
        >
          {action.isBusy ? text.generating : text.generate}
        </button>
      )}
      {mayWrite && remove && (
        <button type="button" class="danger" onClick={remove}>
          {words.delete}
        </button>
      )}
    </>
  )
}

interface ShownProps {
  readonly unit: UnitResource
  readonly generations: readonly GenerationRecord[]
}

function Shown({ generations, unit }: ShownProps) {
  const [newest] = generations
  const completed = generations.filter(({ state }) => state === 'completed')
  const [current, previous] = completed
  return (
    <>
      <dl>
        <dt>{text.source}</dt>
        <dd>
          <a href={href(`/sources/${encodeURIComponent(unit.source)}`)}>
            <code>{unit.source}</code>
          </a>
        </dd>
        <dt>{text.type}</dt>
        <dd>{unit.type}</dd>
        <dt>{words.id}</dt>
        <dd>
          <Id id={unit.id} />
        </dd>
        {current && (
          <>
            <dt>{text.generated}</dt>
            <dd>
              <Time at={current.finishedAt} />
            </dd>
            <dt>{text.tests}</dt>
            <dd>{current.tests?.length ? <Tags names={[...new Set(current.tests)]} /> : words.none}</dd>
          </>
        )}
      </dl>
      <Changed unit={unit} />
      <Failure error={newest?.error} />
      {current ? (
        <>
          <Warnings
            title={text.warnings}
            warnings={current.warnings}
            linkTo={(column) => href(`/units/${unit.id}`, { view: 'columns', column })}
          />
          <Files current={current} previous={previous} unitId={unit.id} />
        </>
      ) : (
        <Empty text={text.notYet} />
      )}
      {generations.length > 0 && (
        <>
          <h2>{text.history}</h2>
          <Table
            label={text.history}
            items={generations}
            keyOf={({ id }) => id}
            columns={generationColumns}
          />
        </>
      )}
    </>
  )
}

/** Shows the changes since the unit was generated, and the remedy. */
function Changed({ unit: { changed = [] } }: Pick<ShownProps, 'unit'>) {
  return (
    <>
      {changed.map((change) => (
        <p class="box warn" key={change}>
          <b>{text.changes[change]}.</b> {text.changeTexts[change]}
        </p>
      ))}
    </>
  )
}

interface FilesProps {
  readonly current: GenerationRecord
  readonly previous: GenerationRecord | undefined
  readonly unitId: string
}

/** Shows the files and the columns as tabs; the open one is in the address. */
function Files({ current, previous, unitId }: FilesProps) {
  const { path: place, query } = usePlace()
  // The model first, then its descriptions.
  const files = (current.files ?? []).toSorted((one, other) => rankOf(one.path) - rankOf(other.path))
  const shown = files.find(({ path }) => path === query.get('file')) ?? files[0]
  const isDiff = query.get('diff') === '1'
  const isColumns = query.get('view') === 'columns'
  const plan = query.get('plan')
  const tab = (title: string, isHere: boolean, fields: Readonly<Record<string, string>>) => (
    <a
      key={title}
      href={href(place, { ...fields, diff: isDiff ? '1' : '' })}
      {...(isHere && { 'aria-current': 'true' as const })}
    >
      {title}
    </a>
  )
  if (!shown) return null
  return (
    <>
      <h2>{text.code}</h2>
      <nav class="tabs" aria-label={text.code}>
        {files.map(({ path }) =>
          tab(path.slice(path.lastIndexOf('/') + 1), path === shown.path && !isColumns, { file: path }),
        )}
        {tab(words.evidence.columns, isColumns, { view: 'columns' })}
      </nav>
      {isColumns ? (
        <UnitColumns unitId={unitId} />
      ) : (
        <>
          <div class="row bar">
            <label class="check">
              <input
                type="checkbox"
                checked={isDiff}
                onChange={({ currentTarget }) => setQuery({ diff: currentTarget.checked ? '1' : '' })}
              />
              {text.diff}
            </label>
            <CompareWithBranch unitId={unitId} />
          </div>
          {plan !== null && <BranchDiff pushId={plan} />}
          <div class="split">
            <ColumnList unitId={unitId} />
            <div>
              <File
                current={current}
                previous={isDiff ? previous : undefined}
                path={shown.path}
                isDiff={isDiff}
              />
            </div>
          </div>
        </>
      )}
    </>
  )
}

function rankOf(path: string): number {
  return path.endsWith('.sql') ? 0 : 1
}

interface FileProps extends Omit<FilesProps, 'unitId'> {
  readonly path: string
  readonly isDiff: boolean
}

function File({ current, isDiff, path, previous }: FileProps) {
  const loaded = useResource(
    `file ${current.id} ${path} ${previous?.id}`,
    async (signal) => {
      const [content, compared] = await Promise.all([
        client.generations.file(current.id, path, { signal }),
        previous && client.generations.diff(current.id, { with: previous.id }, { signal }),
      ])
      return { content, diff: compared?.files.find((file) => file.path === path)?.diff }
    },
    [],
  )
  return (
    <Show loaded={loaded}>
      {({ content, diff }) => (
        <>
          <div class="head">
            <code>
              <Path path={path} />
            </code>
            <div class="row">
              <CopyButton text={content} />
              <button type="button" onClick={() => saveText(path, content)}>
                {words.download}
              </button>
            </div>
          </div>
          {isDiff ? <Comparison diff={diff} path={path} /> : <Code text={content} path={path} />}
        </>
      )}
    </Show>
  )
}

interface ComparisonProps {
  /** Empty if nothing changed; undefined without an earlier generation. */
  readonly diff: string | undefined
  readonly path: string
}

function Comparison({ diff, path }: ComparisonProps) {
  if (diff === undefined) return <Empty text={text.noPrevious} />
  return diff === '' ? <Empty text={text.noDiff} /> : <Diff label={path} lines={linesOf(diff)} />
}
