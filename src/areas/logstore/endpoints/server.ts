import { at, failures, local } from '../../../core/endpoint.ts'
import { awaited, data } from '../../../core/reply.ts'
import { notTaken } from '../../../host/apply/problems.ts'
import { InstallFailed, RemoveFailed } from '../../../host/packages.ts'
import { ServiceFailed } from '../../../host/services.ts'
import { NotServing, ReplyUnreadable, RepositoryUnreachable } from '../../../tools/opensearch/index.ts'
import { endpoint } from '../context.ts'
import { ofBackend } from '../failures.ts'
import { installing, uninstalling } from '../install.ts'
import { LogstoreStats, LogstoreStatus } from '../model.ts'
import { AlreadyInstalled, NotInstalled } from '../problems.ts'
import * as status from '../status.ts'

const category = local('each host has a log store of its own')

export const installLogstore = endpoint({
  method: 'POST',
  path: '/install',
  summary: 'Install OpenSearch and what rsyslog needs for it, and start it',
  description:
    'Adds the package repository of the vendor (the setting `opensearch_url`), installs the packages, configures a single node on 127.0.0.1:9200 with a quarter of the memory, from 512 MiB to 4 GiB, starts it, and waits up to 60 seconds until it answers. An installation that fails leaves none of it. With addresses of a cluster in the setting `logstore_url`, only what rsyslog needs is installed.',
  effect: 'changes',
  category,
  reply: awaited(installing, { status: 200, shape: 'data' }),
  throws: {
    already_installed: AlreadyInstalled,
    install_failed: at(500, InstallFailed, RepositoryUnreachable),
    start_failed: at(500, NotServing, ServiceFailed),
  },
  run: () => ({}),
})

export const uninstallLogstore = endpoint({
  method: 'POST',
  path: '/uninstall',
  summary: 'Remove OpenSearch; the lines stay on the disk, and the sources in the panel',
  effect: 'destroys',
  category,
  reply: awaited(uninstalling, { status: 200, shape: 'data' }),
  throws: {
    bad_request: NotInstalled,
    config_failed: at(500, ...notTaken),
    remove_failed: at(500, RemoveFailed),
  },
  run: () => ({}),
})

export const readLogstoreStatus = endpoint({
  method: 'GET',
  path: '/status',
  summary: 'Read whether the log store is installed, runs and answers',
  effect: 'reads',
  reply: data(LogstoreStatus),
  run: ({ logstore }) => status.readStatus(logstore),
})

export const readLogstoreStats = endpoint({
  method: 'GET',
  path: '/stats',
  summary: 'Count the lines by day, and read how full the disk is',
  effect: 'reads',
  reply: data(LogstoreStats),
  throws: failures(ofBackend, { parse_error: ReplyUnreadable }),
  run: ({ logstore }) => status.readStats(logstore),
})
