import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { useAction } from '../service/resource.ts'
import { CopyButton } from './basics.tsx'
import { Problem } from './states.tsx'

interface FieldProps {
  readonly label: string
  readonly hint?: string
  readonly name: string
  readonly type?: 'text' | 'password' | 'url' | 'datetime-local' | 'number'
  readonly value?: string
  readonly isOptional?: boolean
  readonly placeholder?: string
  /** True if the field has the focus when it appears. */
  readonly isFirst?: boolean
}

/** A field of a form, which reads it by name. */
export function Field({
  hint,
  isFirst = false,
  isOptional = false,
  label,
  name,
  placeholder,
  type = 'text',
  value,
}: FieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isFirst) input.current?.focus()
  }, [])
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        ref={input}
        {...{ id, name }}
        {...({ type } as { readonly type: 'text' })}
        {...(type === 'number' && { min: 0, step: 'any' })}
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

interface CheckProps extends Pick<FieldProps, 'hint' | 'label' | 'name'> {
  readonly onChange?: (isTicked: boolean) => void
}

export function Check({ hint, label, name, onChange }: CheckProps) {
  return (
    <label class="check field">
      <input type="checkbox" name={name} onChange={(event) => onChange?.(event.currentTarget.checked)} />
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
      <button class="main" aria-disabled={isBusy}>
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
  const isOpen = useRef(true)
  useEffect(() => {
    const shown = dialog.current
    const before = document.activeElement
    shown?.showModal()
    return () => {
      isOpen.current = false
      // Removing the element would leave the focus nowhere.
      shown?.close()
      if (before instanceof HTMLElement && before !== document.body) before.focus()
    }
  }, [])
  const closed = (): void => {
    if (!isOpen.current) return
    if (isFirm) dialog.current?.showModal()
    else onClose()
  }
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        // The browser would return the focus before the page knows, and lose a key that opens the dialog again.
        event.preventDefault()
        if (!isFirm) onClose()
      }}
      onClose={closed}
    >
      <h2 id={id}>{title}</h2>
      {children}
      {!isFirm && (
        <button class="close" type="button" aria-label={words.close} onClick={onClose}>
          ×
        </button>
      )}
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
            aria-disabled={isBusy}
            disabled={name !== undefined && typed !== name}
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
