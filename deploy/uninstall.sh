#!/bin/sh
# Removes the panel that deploy/install.sh installed. What it has set up keeps running: websites, databases, zones, containers. Its data
# in /var/lib/hostreeve and its settings in /etc/hostreeve.env stay; install.sh goes on from them.
set -eu

[ $# = 0 ] || { echo 'uninstall: takes no arguments' >&2; exit 2; }
[ "$(id -u)" = 0 ] || { echo 'uninstall: run this as root' >&2; exit 1; }

units=/etc/systemd/system
if [ -d /run/systemd/system ]; then
  for unit in hostreeve.service hostreeve-proc.service; do
    [ ! -e "$units/$unit" ] || systemctl disable --quiet --now "$unit"
  done
fi
rm -f "$units/hostreeve.service" "$units/hostreeve-proc.service" "$units/systemd-logind.service.d/hostreeve-proc.conf"
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  systemctl try-restart systemd-logind.service
fi
rm -rf /opt/hostreeve /usr/local/bin/hostreeve
# such as PM2, where it has no Node of its own
users=$(grep -l --recursive /opt/hostreeve/ "$units" 2>/dev/null || true)
[ -z "$users" ] || printf 'uninstall: these units run the Node of the panel, and need another one:\n%s\n' "$users" >&2
echo 'The panel is removed. Its data are in /var/lib/hostreeve, its settings in /etc/hostreeve.env if there are any.'
