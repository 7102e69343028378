import type { Host } from '../harness/index.ts'
import { DebArchive } from './deb-archive.ts'

const unit = `[Unit]
Description=High Performance Advanced Proxy for MySQL
After=network.target
[Service]
ExecStart=/opt/hostreeve/node_modules/.bin/node /opt/hostreeve/test/hosts/story/proxysql-program.ts
Restart=on-failure
[Install]
WantedBy=multi-user.target
`

/** Publishes a package of the stand-in for ProxySQL, which no Debian archive has, to the apt of a host. */
export async function publishProxysql(host: Host): Promise<void> {
  const archive = await DebArchive.make(host, 'proxysql', 'ProxySQL')
  const postinst = [
    'mkdir -p /var/lib/proxysql',
    `cat >/lib/systemd/system/proxysql.service <<'E'\n${unit}E`,
    'systemctl daemon-reload',
  ]
  await archive.publish({ name: 'proxysql', version: '2.5.5', postinst: postinst.join('\n') })
  await host.must(['apt-get', '-q', 'update'])
}
