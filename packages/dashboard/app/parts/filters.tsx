import { useEffect, useRef, useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { setQuery, usePlace } from '../router.ts'
import { asTime, fieldTime, isoTime } from './format.ts'

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
  const applied = usePlace().query.get(name) ?? ''
  const [text, setText] = useState(applied)
  const sent = useRef(applied)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const wanted = text.trim()
    if (wanted === sent.current) return undefined
    const timer = setTimeout(() => {
      sent.current = wanted
      setQuery({ [name]: wanted })
    }, 250)
    return () => clearTimeout(timer)
  }, [text])
  // Follows the address when a link or Back has changed it.
  useEffect(() => {
    if (applied === sent.current) return
    sent.current = applied
    setText(applied)
  }, [applied])
  useEffect(() => {
    const jump = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element && event.target.closest('input, select, textarea, dialog')
      // The first of several fields has taken it.
      if (event.key !== '/' || isTyping || event.defaultPrevented) return
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
