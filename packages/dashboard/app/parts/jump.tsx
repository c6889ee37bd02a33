import { useEffect, useId, useState } from 'preact/hooks'
import { words } from '../messages.ts'
import { href, navigate } from '../router.ts'
import { client } from '../service/client.ts'
import { useResource } from '../service/resource.ts'
import { useMay } from '../service/session.ts'
import { Dialog } from './forms.tsx'
import { Problem } from './states.tsx'

const text = words.palette

/** A target to jump to. */
interface Target {
  readonly href: string
  readonly title: string
  /** The kind of target. */
  readonly sort: string
}

/** The number of results. */
const MOST = 8
/** The pause in typing after which names are searched, in milliseconds. */
const PAUSE_MS = 150

async function find(search: string, signal: AbortSignal): Promise<readonly Target[]> {
  const filter = { search, limit: MOST }
  const [units, sources] = await Promise.all([
    client.units.list(filter, { signal }).page(),
    client.sources.list(filter, { signal }).page(),
  ])
  return [
    ...units.items.map(({ id, name }) => ({
      href: href(`/units/${id}`),
      title: name,
      sort: words.units.unit,
    })),
    ...sources.items.map(({ connectionId, name }) => ({
      href: href(`/sources/${encodeURIComponent(name)}`, { connectionId }),
      title: name,
      sort: words.units.source,
    })),
  ]
}

export interface JumpProps {
  readonly pages: readonly Target[]
  readonly onClose: () => void
}

/** Searches pages, units and sources. */
export function Jump({ onClose, pages }: JumpProps) {
  const id = useId()
  const mayRead = useMay('read')
  const [typed, setTyped] = useState('')
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setQuery(typed.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const found = useResource(
    `jump ${query}`,
    async (signal) => (query === '' || !mayRead ? [] : await find(query, signal)),
    [],
  )
  const word = typed.trim().toLowerCase()
  const targets = [...pages.filter(({ title }) => title.toLowerCase().includes(word)), ...(found.data ?? [])]
  const go = (target: Target | undefined): void => {
    if (!target) return
    onClose()
    navigate(target.href)
  }
  const step = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    setChosen((chosen + by + targets.length) % Math.max(targets.length, 1))
  }
  return (
    <Dialog title={text.title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          go(targets[chosen])
        }}
      >
        <input
          class="wide"
          role="combobox"
          aria-label={text.label}
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={targets[chosen] && `${id}-${chosen}`}
          autoComplete="off"
          value={typed}
          onKeyDown={step}
          onInput={(event) => {
            setTyped(event.currentTarget.value)
            setChosen(0)
          }}
        />
      </form>
      <Problem error={found.error} />
      <Targets id={id} targets={targets} chosen={chosen} go={go} />
      {targets.length === 0 && <p class="muted">{text.none}</p>}
    </Dialog>
  )
}

interface TargetsProps {
  readonly id: string
  readonly targets: readonly Target[]
  /** The index of the item that Enter opens. */
  readonly chosen: number
  readonly go: (target: Target) => void
}

function Targets({ chosen, go, id, targets }: TargetsProps) {
  useEffect(() => {
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <ul class="targets" role="listbox" id={id} aria-label={text.label}>
      {targets.map((target, index) => (
        <li
          key={target.href}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === chosen}
          onClick={() => go(target)}
        >
          {target.title} <span class="muted">{target.sort}</span>
        </li>
      ))}
    </ul>
  )
}
