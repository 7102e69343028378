import { applications } from '../areas/applications/index.ts'
import { ai } from '../areas/ai/index.ts'
import { uptime } from '../areas/uptime/index.ts'
import { activity } from '../areas/activity/index.ts'
import { authdns } from '../areas/authdns/index.ts'
import { aipartner } from '../areas/aipartner/index.ts'
import { auth } from '../areas/auth/index.ts'
import { sitebackups } from '../areas/sitebackups/index.ts'
import { backups } from '../areas/backups/index.ts'
import { certificates } from '../areas/certificates/index.ts'
import { containers } from '../areas/containers/index.ts'
import { crontab } from '../areas/crontab/index.ts'
import { dashboard } from '../areas/dashboard/index.ts'
import { databases } from '../areas/databases/index.ts'
import { docdbServer } from '../areas/docdb-server/index.ts'
import { drift } from '../areas/drift/index.ts'
import { filemanager } from '../areas/filemanager/index.ts'
import { firewall } from '../areas/firewall/index.ts'
import { hostlogs } from '../areas/hostlogs/index.ts'
import { ipsec } from '../areas/ipsec/index.ts'
import { jobs } from '../areas/jobs/index.ts'
import { dnslb } from '../areas/dnslb/index.ts'
import { lbproxy } from '../areas/lbproxy/index.ts'
import { licence } from '../areas/licence/index.ts'
import { limits } from '../areas/limits/index.ts'
import { logstore } from '../areas/logstore/index.ts'
import { machine } from '../areas/machine/index.ts'
import { mail } from '../areas/mail/index.ts'
import { mailboxBackup } from '../areas/mailbox-backup/index.ts'
import { manifest } from '../areas/manifest/index.ts'
import { mcp } from '../areas/mcp/index.ts'
import { nettools } from '../areas/nettools/index.ts'
import { notifications } from '../areas/notifications/index.ts'
import { pageCache } from '../areas/page-cache/index.ts'
import { php } from '../areas/php/index.ts'
import { plugins } from '../areas/plugins/index.ts'
import { processes } from '../areas/processes/index.ts'
import { programs } from '../areas/programs/index.ts'
import { replicationServers } from '../areas/replication-servers/index.ts'
import { selfupdate } from '../areas/selfupdate/index.ts'
import { services } from '../areas/services/index.ts'
import { settings } from '../areas/settings/index.ts'
import { snapshots } from '../areas/snapshots/index.ts'
import { sqldb } from '../areas/sqldb/index.ts'
import { sqlproxy } from '../areas/sqlproxy/index.ts'
import { sqlreplication } from '../areas/sqlreplication/index.ts'
import { ssh } from '../areas/ssh/index.ts'
import { staging } from '../areas/staging/index.ts'
import { storage } from '../areas/storage/index.ts'
import { system } from '../areas/system/index.ts'
import { telemetry } from '../areas/telemetry/index.ts'
import { terminal } from '../areas/terminal/index.ts'
import { traffic } from '../areas/traffic/index.ts'
import { updates } from '../areas/updates/index.ts'
import { users } from '../areas/users/index.ts'
import { vpnGateway } from '../areas/vpn-gateway/index.ts'
import { version } from '../areas/version/index.ts'
import { webadmin } from '../areas/webadmin/index.ts'
import { webserver } from '../areas/webserver/index.ts'
import { webacl } from '../areas/webacl/index.ts'
import { websites } from '../areas/websites/index.ts'
import { wordpress } from '../areas/wordpress/index.ts'
import type { Area } from '../core/area.ts'

/** Every area of the panel, each after those it uses. */
export const areas: readonly Area<any, any>[] = [
  version,
  dashboard,
  replicationServers,
  users,
  notifications,
  auth,
  firewall,
  plugins,
  services,
  settings,
  licence,
  machine,
  mail,
  hostlogs,
  system,
  storage,
  processes,
  telemetry,
  webserver,
  websites,
  certificates,
  crontab,
  pageCache,
  php,
  traffic,
  limits,
  filemanager,
  databases,
  applications,
  programs,
  updates,
  selfupdate,
  lbproxy,
  dnslb,
  sqldb,
  docdbServer,
  sqlreplication,
  webadmin,
  authdns,
  manifest,
  terminal,
  containers,
  ssh,
  mcp,
  aipartner,
  jobs,
  activity,
  backups,
  snapshots,
  drift,
  sitebackups,
  wordpress,
  staging,
  mailboxBackup,
  uptime,
  webacl,
  nettools,
  logstore,
  sqlproxy,
  vpnGateway,
  ipsec,
  ai,
]
