// The address is the state of the pages: it contains filters, tabs and the open item.
import { useEffect, useState } from 'preact/hooks'

const BASE = '/app'
const CHANGED = 'stagecraft:address'

/** The current location: the path below `/app`, and its query. */
export interface Place {
  readonly path: string
  readonly query: URLSearchParams
}

function readPlace(): Place {
  const path = location.pathname.slice(BASE.length).replace(/\/+$/, '')
  return { path: path === '' ? '/' : path, query: new URLSearchParams(location.search) }
}

/** Returns the address of a page: `href('/units', { search: 'pay' })`. Empty values are left out. */
export function href(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const fields = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const text = new URLSearchParams(fields).toString()
  return `${BASE}${path}${text === '' ? '' : `?${text}`}`
}

export function navigate(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (replace) history.replaceState(null, '', to)
  else {
    history.pushState(null, '', to)
    scrollTo(0, 0)
  }
  dispatchEvent(new Event(CHANGED))
}

/**
 * Follows the current location. Links to pages are handled without reloading, unless a modifier key opens another tab.
 */
export function usePlace(): Place {
  const [place, setPlace] = useState(readPlace)
  useEffect(() => {
    const update = () => setPlace(readPlace())
    addEventListener('popstate', update)
    addEventListener(CHANGED, update)
    document.addEventListener('click', follow)
    return () => {
      removeEventListener('popstate', update)
      removeEventListener(CHANGED, update)
      document.removeEventListener('click', follow)
    }
  }, [])
  return place
}

function follow(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  if (!link || !isPlain || event.defaultPrevented || link.target !== '' || link.hasAttribute('download'))
    return
  const { hash, origin, pathname, search } = new URL(link.href)
  if (origin !== location.origin || !(pathname === BASE || pathname.startsWith(`${BASE}/`)) || hash !== '')
    return
  event.preventDefault()
  navigate(pathname + search)
}

/** Matches `/webhooks/:id` and returns the values of its names; undefined for another path. */
export function match(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? ''
    if (part.startsWith(':')) params[part.slice(1)] = decode(value)
    else if (part !== value) return undefined
  }
  return params
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Sets fields of the page's query, and returns lists to their first page. */
export function setQuery(fields: Readonly<Record<string, string>>): void {
  const query = { ...Object.fromEntries(new URLSearchParams(location.search)), cursor: '', ...fields }
  navigate(href(readPlace().path === '/' ? '/' : readPlace().path, query), { replace: true })
}
