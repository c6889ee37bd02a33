import { JOB_STATES, type JobFailure, type JobState } from '@stagecraft/spec/api'
import { words } from '../messages.ts'
import { Capped } from './capped.tsx'
import { Problem } from './states.tsx'
import { useAction } from '../service/resource.ts'

/** Returns the state of jobs in the address; undefined for anything else. */
export function asJobState(text: string | null): JobState | undefined {
  return JOB_STATES.find((state) => state === text)
}

export const JOB_OPTIONS: Readonly<Record<string, string>> = Object.fromEntries(
  JOB_STATES.map((state) => [state, words.states[state]]),
)

/** Returns the duration of a job in milliseconds; undefined before its end. */
export function tookOf({
  finishedAt,
  startedAt,
}: {
  readonly startedAt?: string | undefined
  readonly finishedAt?: string | undefined
}): number | undefined {
  return startedAt === undefined || finishedAt === undefined
    ? undefined
    : Date.parse(finishedAt) - Date.parse(startedAt)
}

/** Shows the reason why a job failed. */
export function Failure({ error }: { readonly error: JobFailure | undefined }) {
  if (!error) return null
  const { details: { suggestion } = {} } = error
  return (
    <div class="box bad">
      <p>
        <b>{words.states.failed}:</b> {error.message}
      </p>
      <p class="muted">
        <code>{error.code}</code> {typeof suggestion === 'string' && suggestion}
      </p>
    </div>
  )
}

interface Warned {
  readonly code: string
  readonly message: string
  readonly column?: string | undefined
}

interface WarningsProps {
  readonly title: string
  readonly warnings: readonly Warned[] | undefined
  /** Returns the link to a column. Default: no link. */
  readonly linkTo?: (column: string) => string
}

export function Warnings({ linkTo, title, warnings }: WarningsProps) {
  if (!warnings || warnings.length === 0) return null
  return (
    <section class="box warn" aria-label={title}>
      <b>{title}</b>
      <Capped items={warnings}>
        {(shown) => (
          <ul>
            {shown.map(({ code, column, message }, index) => (
              <li key={index}>
                {message} {column !== undefined && <ColumnName column={column} linkTo={linkTo} />}{' '}
                <span class="tag">{code}</span>
              </li>
            ))}
          </ul>
        )}
      </Capped>
    </section>
  )
}

interface ColumnNameProps {
  readonly column: string
  readonly linkTo: WarningsProps['linkTo']
}

function ColumnName({ column, linkTo }: ColumnNameProps) {
  const name = <code>{column}</code>
  return linkTo ? <a href={linkTo(column)}>{name}</a> : name
}

interface StopProps {
  readonly state: JobState
  readonly label: string
  readonly stop: () => Promise<unknown>
}

/** A button that stops a running job. */
export function Stop({ label, state, stop }: StopProps) {
  const { error, isBusy, run } = useAction()
  if (state !== 'queued' && state !== 'running') return null
  return (
    <>
      <Problem error={error} title={words.problem.action} />
      <button type="button" aria-disabled={isBusy} onClick={() => void run(stop)}>
        {label}
      </button>
    </>
  )
}
