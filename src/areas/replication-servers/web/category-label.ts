const labels: Readonly<Record<string, string>> = {
  dns: 'DNS',
  ssl: 'Certificates',
  ssh_keys: 'SSH keys',
  crontab: 'Crontabs',
  php: 'PHP',
  ftp: 'FTP',
  waf: 'Web application firewall',
  varnish: 'Varnish',
  rate_limit: 'Rate limits',
  nginx_acl: 'Access rules of nginx',
  webapp_backups: 'Backups of websites',
}

/** The name of a category of changes, as people read it. */
export const labelOf = (category: string): string =>
  labels[category] ?? `${category[0]?.toUpperCase()}${category.slice(1)}`
