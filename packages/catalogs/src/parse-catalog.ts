import { type DialectName, StagecraftError } from '@stagecraft/spec'
import { parseDialect } from './dialect-option.ts'
import { type CatalogForm, FORMS } from './forms.ts'

export interface ParsedCatalog {
  readonly form: CatalogForm
  /** What stands between scheme and options. */
  readonly path: string
  readonly dialect: DialectName | undefined
}

/**
 * Takes the text of a catalog apart, and opens nothing.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a text of another form.
 */
export function parseCatalog(text: string): ParsedCatalog {
  const scheme = /^([a-z][a-z\d+.-]+):/i.exec(text)?.[1] ?? '' // one letter is a drive of Windows
  const { dialect, path } = splitOptions(text.slice(scheme === '' ? 0 : scheme.length + 1))
  const form = path === '' ? undefined : findForm(scheme.toLowerCase(), path)
  if (!form) throw invalidCatalog(text, scheme)
  if (dialect !== undefined && !form.takesDialect) throw uselessDialect(form)
  return { form, path, dialect }
}

function findForm(scheme: string, path: string): CatalogForm | undefined {
  if (scheme !== '') return FORMS.find(({ schemes }) => schemes.includes(scheme))
  const lower = path.toLowerCase()
  return FORMS.find(({ endings }) => endings?.some((ending) => lower.endsWith(ending)))
}

/** Takes `?dialect=…` off the end; every other question mark is part of the path. */
function splitOptions(text: string): Pick<ParsedCatalog, 'path' | 'dialect'> {
  const [, path = text, name] = /^(.*)\?dialect=([^?&/]*)$/s.exec(text) ?? []
  return { path, dialect: name === undefined ? undefined : parseDialect(name, 'catalog') }
}

/** The text may hold a password: of one with a scheme no more than that is repeated, of one with an @ nothing. */
function invalidCatalog(text: string, scheme: string): StagecraftError {
  const expected = `one of ${FORMS.map(({ example }) => example).join(', ')}`
  const known = scheme === '' ? text : `${scheme}:…`
  const received = /^[\w.+/\\:…~-]*$/.test(known) ? JSON.stringify(known) : 'another text'
  return new StagecraftError('INVALID_REQUEST', `catalog: expected ${expected}, got ${received}`, {
    details: { faults: [{ path: 'catalog', expected, received }] },
  })
}

function uselessDialect({ example, schemes }: CatalogForm): StagecraftError {
  const expected = `${example} without ?dialect=, because it knows its dialect`
  const received = `${schemes[0]}:…?dialect=…`
  return new StagecraftError('INVALID_REQUEST', `catalog: expected ${expected}, got ${received}`, {
    details: { faults: [{ path: 'catalog', expected, received }] },
  })
}
