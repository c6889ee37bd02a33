import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { setQuery, usePlace } from '../router.ts'
import { useAction } from '../service/resource.ts'
import { CopyButton } from './basics.tsx'
import { asTime, fieldTime, isoTime } from './format.ts'
import { Problem } from './states.tsx'

interface FieldProps {
  readonly label: string
  readonly hint?: string
  readonly name: string
  readonly type?: 'text' | 'password' | 'url' | 'datetime-local'
  readonly value?: string
  readonly isOptional?: boolean
  readonly placeholder?: string
}

/** A field of a form, which reads it by name. */
export function Field({
  hint,
  isOptional = false,
  label,
  name,
  placeholder,
  type = 'text',
  value,
}: FieldProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...{ id, name }}
        {...({ type } as { readonly type: 'text' })}
        required={!isOptional}
        autoComplete="off"
        spellcheck={false}
        {...(value !== undefined && { defaultValue: value })}
        {...(placeholder !== undefined && { placeholder })}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
      />
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  )
}

interface Choice {
  readonly value: string
  readonly title: string
  readonly hint?: string
  readonly isOff?: boolean
}

/** A group of checkboxes with one name. */
export function Choices({
  choices,
  label,
  name,
  ticked = [],
}: {
  readonly label: string
  readonly name: string
  readonly choices: readonly Choice[]
  readonly ticked?: readonly string[]
}) {
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      {choices.map(({ hint, isOff = false, title, value }) => (
        <label class="check" key={value}>
          <input
            type="checkbox"
            {...{ name, value }}
            disabled={isOff}
            defaultChecked={ticked.includes(value)}
          />
          <span>
            <code>{title}</code> {hint !== undefined && <span class="muted">{hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

export function Check({ hint, label, name }: Pick<FieldProps, 'hint' | 'label' | 'name'>) {
  return (
    <label class="check field">
      <input type="checkbox" name={name} />
      <span>
        {label} {hint !== undefined && <span class="hint">{hint}</span>}
      </span>
    </label>
  )
}

/** A form that shows its error above its button. */
export function Form({
  children,
  label,
  onSend,
}: {
  readonly label: string
  readonly children: ComponentChildren
  readonly onSend: (data: FormData) => Promise<unknown>
}) {
  const { error, isBusy, run } = useAction()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const data = new FormData(event.currentTarget)
        void run(() => onSend(data))
      }}
    >
      {children}
      <Problem error={error} title={words.problem.action} />
      <button class="main" disabled={isBusy}>
        {label}
      </button>
    </form>
  )
}

/** Returns a trimmed text of a form. */
export function textOf(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

/** A modal dialog. */
export function Dialog({
  children,
  isFirm = false,
  onClose,
  title,
}: {
  readonly title: string
  /** True if Escape must not close it. */
  readonly isFirm?: boolean
  readonly onClose: () => void
  readonly children: ComponentChildren
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const open = () => dialog.current?.showModal()
  useEffect(open, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => isFirm && event.preventDefault()}
      onClose={isFirm ? open : onClose}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  )
}

interface ConfirmProps {
  readonly title: string
  readonly text: string
  /** The confirming button. */
  readonly action: string
  /** A text to type for confirmation, if the action cannot be undone. */
  readonly name?: string
  readonly isDanger?: boolean
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
}

/** Explains an action, and runs it after confirmation. */
export function Confirm({ action, isDanger = false, name, onClose, onConfirm, text, title }: ConfirmProps) {
  const { error, isBusy, run } = useAction()
  const [typed, setTyped] = useState('')
  const id = useId()
  return (
    <Dialog {...{ title, onClose }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void run(onConfirm)
        }}
      >
        <p>{text}</p>
        {name !== undefined && (
          <div class="field">
            <label for={id}>{words.confirm.type(name)}</label>
            <input
              id={id}
              value={typed}
              autoComplete="off"
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
          </div>
        )}
        <Problem error={error} title={words.problem.action} />
        <div class="row">
          <button
            class={isDanger ? 'danger' : 'main'}
            disabled={isBusy || (name !== undefined && typed !== name)}
          >
            {action}
          </button>
          <button type="button" onClick={onClose}>
            {words.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** Shows a secret once. */
export function SecretDialog({
  onClose,
  secret,
  text,
  title,
}: {
  readonly title: string
  readonly text: string
  readonly secret: string
  readonly onClose: () => void
}) {
  return (
    <Dialog isFirm {...{ title, onClose }}>
      <p>{text}</p>
      <div class="secret">
        <code>{secret}</code>
        <CopyButton text={secret} />
      </div>
      <p>
        <button class="main" type="button" onClick={onClose}>
          {words.webhooks.stored}
        </button>
      </p>
    </Dialog>
  )
}

/** A filter that is stored in the address. */
export function Select({
  label,
  name,
  options,
}: {
  readonly label: string
  readonly name: string
  /** Labels by value; no value shows everything. */
  readonly options: Readonly<Record<string, string>>
}) {
  const { query } = usePlace()
  return (
    <label>
      {label}
      <select
        value={query.get(name) ?? ''}
        onChange={(event) => setQuery({ [name]: event.currentTarget.value })}
      >
        <option value="">{words.all}</option>
        {Object.entries(options).map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Selects the start or end of a period, in the configured zone. */
export function TimeFilter({ label, name }: { readonly label: string; readonly name: string }) {
  const value = asTime(usePlace().query.get(name))
  return (
    <label>
      {label}
      <input
        type="datetime-local"
        value={value === undefined ? '' : fieldTime(value)}
        onChange={(event) => setQuery({ [name]: isoTime(event.currentTarget.value) })}
      />
    </label>
  )
}

/** A text filter, applied shortly after typing. `/` focuses it. */
export function Search({ label, name }: { readonly label: string; readonly name: string }) {
  const { query } = usePlace()
  const [text, setText] = useState(query.get(name) ?? '')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (text === (query.get(name) ?? '')) return undefined
    const timer = setTimeout(() => setQuery({ [name]: text.trim() }), 250)
    return () => clearTimeout(timer)
  }, [text])
  useEffect(() => {
    const jump = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element && event.target.closest('input, select, textarea, dialog')
      if (event.key !== '/' || isTyping) return
      event.preventDefault()
      field.current?.focus()
    }
    addEventListener('keydown', jump)
    return () => removeEventListener('keydown', jump)
  }, [])
  return (
    <label>
      {label}
      <input ref={field} type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
    </label>
  )
}
