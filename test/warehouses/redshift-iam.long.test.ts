import pg from 'pg'
import type { Catalog } from '@stagecraft/spec'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askAws } from '../../packages/catalogs/src/aws/ask-aws.ts'
import { redshift } from '../../packages/catalogs/src/redshift/index.ts'
import { parseAddress } from '../../packages/catalogs/src/network/address.ts'
import { REDSHIFT } from '../../packages/catalogs/src/network/servers.ts'
import { describeWithServer, postgresServer } from '../servers.ts'
import { describeWithMoto, type Moto, startMoto } from './moto.ts'

const server = await postgresServer()
const KEYS = { access_key_id: 'AKIA1', secret_access_key: 'secret' }

// Moto gives the password, and PostgreSQL stands in for the cluster that takes it.
describeWithMoto('Redshift by IAM, emulated', () => {
  describeWithServer('and PostgreSQL', server, () => {
    const user = `loader_${crypto.randomUUID().slice(0, 8)}`
    let moto: Moto | undefined
    const open = (options: Readonly<Record<string, string>>): Promise<Catalog> => {
      const { host, pathname } = new URL(server.url)
      const query = new URLSearchParams({
        method: 'iam',
        region: 'eu-west-1',
        sslmode: 'disable',
        ...KEYS,
        ...options,
      })
      const text = `redshift://${user}@${host}${pathname}?${query.toString()}`
      return redshift({ text, environment: moto?.environment ?? {} })
    }

    async function run(statement: string): Promise<void> {
      const client = new pg.Client({ connectionString: server.url })
      await client.connect()
      await client.query(statement).finally(() => client.end())
    }

    beforeAll(async () => {
      moto = await startMoto()
      const { environment } = moto
      const address = parseAddress(server.url, REDSHIFT)
      const keys = () => ({ accessKeyId: KEYS.access_key_id, secretAccessKey: KEYS.secret_access_key })
      const ask = askAws({ address, region: 'eu-west-1', keys, profile: undefined }, { environment })
      const login = { MasterUsername: 'admin', MasterUserPassword: 'Admin123' }
      await ask({
        service: 'redshift',
        target: 'CreateCluster',
        input: { ClusterIdentifier: 'shop', NodeType: 'ra3.large', ...login },
      })
      await run(`create role "IAM:${user}" login`)
    })
    afterAll(async () => {
      moto?.stop()
      await run(`drop role "IAM:${user}"`)
    })

    test('logs in as the user that AWS names', async () => {
      const role = 'arn:aws:iam::123456789012:role/reader'
      for (const options of [{ cluster_id: 'shop' }, { cluster_id: 'shop', assume_role_arn: role }]) {
        const catalog = await open(options)
        expect(await catalog.query?.('select current_user as name')).toEqual([{ name: `IAM:${user}` }])
        await catalog.close()
      }
    })

    test('says that there is no such cluster', async () => {
      await expect(open({ cluster_id: 'other' })).rejects.toThrow(
        /GetClusterCredentials failed with ClusterNotFound: Cluster other not found\.; check the options cluster_id and region$/,
      )
    })
  })
})
