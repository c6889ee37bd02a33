import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { MIGRATIONS } from '../../../packages/service/src/store/migrations/index.ts'
import { openStore } from '../../../packages/service/src/store/open-store.ts'
import type { Engine } from '../../../packages/service/src/store/store.ts'
import { postgresServer } from '../../servers.ts'
import { type DeliveryWorld, deliveryWorld } from '../../service/deliveries/delivery-world.ts'
import type { StorePlace } from '../../service/each-store.ts'

export interface BenchStore {
  readonly place: StorePlace
  readonly world: DeliveryWorld
  remove(): Promise<void>
}

/** An empty store of its own, in a folder or in a schema of the PostgreSQL of the tests. */
export async function benchStore(engine: Engine): Promise<BenchStore> {
  const { place, remove } = engine === 'sqlite' ? inFolder() : await inSchema()
  const store = await openStore({ migrations: MIGRATIONS, ...place })
  return {
    place,
    world: deliveryWorld(store),
    async remove() {
      await store.close()
      await remove()
    },
  }
}

interface Place {
  readonly place: StorePlace
  readonly remove: () => Promise<void>
}

function inFolder(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-bench-'))
  return {
    place: { file: join(folder, 'data', 'stagecraft.db') },
    remove: async () => rmSync(folder, { recursive: true }),
  }
}

async function inSchema(): Promise<Place> {
  const { url } = await postgresServer()
  const schema = `bench_${randomBytes(6).toString('hex')}`
  return {
    place: { url, schema },
    async remove() {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query(`drop schema ${schema} cascade`)
      await client.end()
    },
  }
}
