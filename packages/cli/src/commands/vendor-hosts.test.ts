import { describe, expect, test } from 'vitest'
import { assertVendorHosts } from './own-server.ts'

const okta = (url: string): string =>
  `snowflake://me:canary@acct/RAW?authenticator=${encodeURIComponent(url)}`

describe('a warehouse in a file of a project', () => {
  test.each([
    'snowflake://me:x@acct/RAW',
    'snowflake://me@acct.privatelink.snowflakecomputing.com/RAW?account=acct&token=x',
    'snowflake://me@localhost:8080/RAW?account=acct&protocol=http&token=x',
    okta('https://acme.okta.com'),
    okta('https://acme.oktapreview.com/'),
    'postgres://me:x@evil.example/raw',
    'redshift://me@c.abc.eu-west-1.redshift.amazonaws.com/dev?method=iam&cluster_id=c',
    'redshift://me@w.1.eu-west-1.redshift-serverless.amazonaws.com/dev?method=iam_role&is_serverless=true',
    'redshift://me@evil.example/dev?method=iam&access_key_id=a&secret_access_key=b',
    'sqlserver://acme.database.windows.net/dev?authentication=azure-active-directory-default',
    'sqlserver://acme.datawarehouse.fabric.microsoft.com/dev?authentication=azure-active-directory-msi-vm',
    'sqlserver://me:x@evil.example/dev',
    'sqlserver://localhost/dev?authentication=azure-active-directory-default',
  ])('may be %s', (text) => {
    expect(() => assertVendorHosts(text)).not.toThrow()
  })

  test.each([
    ['snowflake://me@evil.example/RAW?account=acct&private_key_path=/home/me/rsa.p8', 'got evil.example;'],
    [okta('https://evil.example'), 'got evil.example;'],
    ['redshift://me@evil.example/dev?method=iam&cluster_id=c', 'a host of redshift.amazonaws.com'],
    [
      'redshift://me@redshift.amazonaws.com.evil.example/dev?method=iam_role',
      'got redshift.amazonaws.com.evil.example;',
    ],
    ['sqlserver://evil.example/dev?authentication=azure-active-directory-default', 'a host of Azure'],
    [
      'sqlserver://evil.example/dev?authentication=azure-active-directory-msi-app-service',
      'got evil.example;',
    ],
    [okta('https://okta.com.evil.example'), 'got okta.com.evil.example;'],
    [okta('http://acme.okta.com'), 'authenticator: expected https://<name>.okta.com'],
  ])('may not be %s', (text, message) => {
    expect(() => assertVendorHosts(text)).toThrow(message)
    expect(() => assertVendorHosts(text)).not.toThrow('canary')
  })
})
