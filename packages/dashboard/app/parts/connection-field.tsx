import { useId } from 'preact/hooks'
import { words } from '../messages.ts'
import { href } from '../router.ts'
import { client } from '../service/client.ts'
import { useResource } from '../service/resource.ts'
import { Problem } from './states.tsx'

function useConnections() {
  return useResource(
    'connections to choose',
    (signal) => client.connections.list({ limit: 200 }, { signal }).page(),
    ['connection'],
  )
}

/** Returns the known names of connections by id. */
export function useConnectionNames(): ReadonlyMap<string, string> {
  return new Map(useConnections().data?.items.map(({ id, name }) => [id, name]))
}

/** Selects a connection. Its form reads `connectionId`, which is empty for the default. */
export function ConnectionField({ value = '' }: { readonly value?: string }) {
  const id = useId()
  const { data, error } = useConnections()
  const all = data?.items ?? []
  const chosen = all.find(({ isDefault }) => isDefault)
  return (
    <div class="field">
      <label for={id}>{words.scans.connection}</label>
      <select id={id} name="connectionId">
        <option value="">{chosen ? `${chosen.name} (${words.byDefault})` : words.none}</option>
        {all
          .filter((connection) => connection !== chosen)
          .map(({ id, name }) => (
            <option key={id} value={id} selected={id === value}>
              {name}
            </option>
          ))}
      </select>
      {data && all.length === 0 && (
        <p class="hint">
          {words.connections.empty} <a href={href('/connections')}>{words.connections.title}</a>
        </p>
      )}
      <Problem error={error} />
    </div>
  )
}
