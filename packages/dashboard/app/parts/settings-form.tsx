import { useId } from 'preact/hooks'
import { words } from '../messages.ts'
import { useSession } from '../service/session.ts'
import { Field, Form, textOf } from './forms.tsx'

/** A setting with its field. */
export interface SettingRow {
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
  readonly value: string | number | undefined
  /** The possible values; the default is always possible. */
  readonly options?: readonly string[]
  readonly isSecret?: true
  readonly isLong?: true
  readonly isNeeded?: true
}

interface SettingsFormProps {
  readonly title: string
  readonly rows: readonly SettingRow[]
  /** Receives all fields as text, empty for the default. */
  readonly onSave: (values: Readonly<Record<string, string>>) => Promise<unknown>
}

/** A form for settings that are stored together. */
export function SettingsForm({ onSave, rows, title }: SettingsFormProps) {
  const { say } = useSession()
  const save = async (data: FormData): Promise<void> => {
    await onSave(Object.fromEntries(rows.map(({ name }) => [name, textOf(data, name)])))
    say(words.saved)
  }
  return (
    <section aria-label={title}>
      <Form label={words.save} onSend={save}>
        <div class="columns">
          {rows.map((row) => (
            <Setting key={row.name} row={row} />
          ))}
        </div>
      </Form>
    </section>
  )
}

function Setting({ row }: { readonly row: SettingRow }) {
  const { hint, isLong, isNeeded, isSecret, label, name, options, value } = row
  const id = useId()
  const text = value?.toString() ?? ''
  if (!options && !isLong)
    return (
      <Field
        {...{ name, label }}
        value={text}
        isOptional={!isNeeded}
        type={isSecret ? 'password' : 'text'}
        {...(hint !== undefined && { hint })}
      />
    )
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {options ? (
        <select {...{ id, name }} defaultValue={text}>
          <option value="">{words.byDefault}</option>
          {options.map((option) => (
            <option key={option} selected={option === text}>
              {option}
            </option>
          ))}
        </select>
      ) : (
        <textarea {...{ id, name }} rows={4} class="mono" spellcheck={false} defaultValue={text} />
      )}
      {hint !== undefined && <span class="hint">{hint}</span>}
    </div>
  )
}
