import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Host } from '../harness/index.ts'
import { versitygwPath } from './versitygw.ts'

const keys = { s3_access_key: 'access', s3_secret_key: 'secret-of-access' }

/** The settings of an S3 server with the bucket `backups`, as the panel takes them. */
export const s3SettingsOf = (address: string) => ({
  s3_endpoint: `http://${address}:7070`,
  s3_bucket: 'backups',
  ...keys,
})

/** Starts an S3 server on a host, which keeps its objects as files in `srv/s3/backups`. */
export async function startS3(host: Host, address: string): Promise<void> {
  await copyFile(await versitygwPath(), join(host.rootPath, 'usr/local/bin/versitygw'))
  await host.must(['chmod', '755', '/usr/local/bin/versitygw'])
  await mkdir(join(host.rootPath, 'srv/s3/backups'), { recursive: true })
  await mkdir(join(host.rootPath, 'srv/iam'), { recursive: true })
  const access = ['--access', keys.s3_access_key, '--secret', keys.s3_secret_key]
  const more = ['--iam-dir', '/srv/iam', '--health', '/health', '--quiet', 'posix', '/srv/s3']
  const unit = ['systemd-run', '--unit=s3', '--collect', '/usr/local/bin/versitygw'] as const
  await host.must([...unit, '--port', `${address}:7070`, ...access, ...more])
  const patient = ['--retry', '50', '--retry-connrefused', '--retry-delay', '1']
  await host.must(['curl', '-sf', ...patient, `${s3SettingsOf(address).s3_endpoint}/health`])
}
