/** The folder of ProxySQL's data. Its database is readable for all and holds passwords, so that the folder must not be. */
export const dataDirectory = '/var/lib/proxysql'

/** The socket of the admin interface, in a folder that only root and ProxySQL enter. */
export const socketPath = `${dataDirectory}/hostreeve.sock`

/** An option file with the local admin account, which the clients of MariaDB read with `--defaults-extra-file`. */
export const credentialsPath = '/root/.hostreeve-proxysql.cnf'

/** The admin interface, as the contract binds it. The firewall of the panel admits nobody to the port without a rule. */
export const adminInterfaces = `0.0.0.0:6032;${socketPath}`

/** The account by which other hosts administer ProxySQL; it refuses `admin` from outside. */
export const remoteAccount = 'remote-admin'
