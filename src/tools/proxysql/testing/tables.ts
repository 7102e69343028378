/** The tables of a ProxySQL 2.5 as its admin interface describes them: those that the panel uses, with the checks of their columns. */
export const tables: Readonly<Record<string, string>> = {
  mysql_servers: `hostgroup_id INT CHECK (hostgroup_id>=0) NOT NULL DEFAULT 0, hostname VARCHAR NOT NULL,
    port INT CHECK (port >= 0 AND port <= 65535) NOT NULL DEFAULT 3306, gtid_port INT NOT NULL DEFAULT 0,
    status VARCHAR CHECK (UPPER(status) IN ('ONLINE','SHUNNED','OFFLINE_SOFT','OFFLINE_HARD')) NOT NULL DEFAULT 'ONLINE',
    weight INT CHECK (weight >= 0 AND weight <= 10000000) NOT NULL DEFAULT 1,
    compression INT CHECK (compression IN (0,1)) NOT NULL DEFAULT 0,
    max_connections INT CHECK (max_connections >= 0) NOT NULL DEFAULT 1000,
    max_replication_lag INT NOT NULL DEFAULT 0, use_ssl INT CHECK (use_ssl IN (0,1)) NOT NULL DEFAULT 0,
    max_latency_ms INT NOT NULL DEFAULT 0, comment VARCHAR NOT NULL DEFAULT '',
    PRIMARY KEY (hostgroup_id, hostname, port)`,
  mysql_users: `username VARCHAR NOT NULL, password VARCHAR, active INT CHECK (active IN (0,1)) NOT NULL DEFAULT 1,
    use_ssl INT NOT NULL DEFAULT 0, default_hostgroup INT NOT NULL DEFAULT 0, default_schema VARCHAR,
    schema_locked INT NOT NULL DEFAULT 0, transaction_persistent INT NOT NULL DEFAULT 1,
    fast_forward INT NOT NULL DEFAULT 0, backend INT CHECK (backend IN (0,1)) NOT NULL DEFAULT 1,
    frontend INT CHECK (frontend IN (0,1)) NOT NULL DEFAULT 1,
    max_connections INT CHECK (max_connections >= 0) NOT NULL DEFAULT 10000,
    attributes VARCHAR NOT NULL DEFAULT '', comment VARCHAR NOT NULL DEFAULT '',
    PRIMARY KEY (username, backend), UNIQUE (username, frontend)`,
  mysql_query_rules: `rule_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    active INT CHECK (active IN (0,1)) NOT NULL DEFAULT 0, username VARCHAR, schemaname VARCHAR,
    flagIN INT NOT NULL DEFAULT 0, match_digest VARCHAR, match_pattern VARCHAR,
    negate_match_pattern INT NOT NULL DEFAULT 0, re_modifiers VARCHAR DEFAULT 'CASELESS',
    destination_hostgroup INT DEFAULT NULL, cache_ttl INT, error_msg VARCHAR,
    apply INT CHECK (apply IN (0,1)) NOT NULL DEFAULT 0, comment VARCHAR`,
  global_variables: 'variable_name VARCHAR NOT NULL PRIMARY KEY, variable_value VARCHAR NOT NULL',
}

/** The tables of statistics and of the monitor. */
export const counters: Readonly<Record<string, string>> = {
  'stats.stats_mysql_connection_pool': `hostgroup INT, srv_host VARCHAR, srv_port INT, status VARCHAR, ConnUsed INT,
    ConnFree INT, ConnOK INT, ConnERR INT, MaxConnUsed INT, Queries INT, Queries_GTID_sync INT,
    Bytes_data_sent INT, Bytes_data_recv INT, Latency_us INT`,
  'stats.stats_mysql_query_rules': 'rule_id INTEGER PRIMARY KEY, hits INT NOT NULL',
  'stats.stats_mysql_global': 'Variable_Name VARCHAR NOT NULL PRIMARY KEY, Variable_Value VARCHAR NOT NULL',
  'stats.stats_mysql_query_digest': `hostgroup INT, schemaname VARCHAR, username VARCHAR, digest_text VARCHAR,
    count_star INT, sum_time INT, PRIMARY KEY (hostgroup, schemaname, username, digest_text)`,
  'monitor.mysql_server_ping_log':
    'hostname VARCHAR NOT NULL, port INT NOT NULL, time_start_us INT NOT NULL, ping_error VARCHAR',
}

/** The variables of a ProxySQL whose configuration file nobody changed. */
export const variables: Readonly<Record<string, string>> = {
  'admin-admin_credentials': 'admin:admin',
  'admin-mysql_ifaces': '0.0.0.0:6032',
  'admin-version': '2.5.5',
  'mysql-monitor_username': 'monitor',
  'mysql-monitor_password': 'monitor',
  'mysql-server_version': '8.0.11',
  'mysql-max_connections': '2048',
}

/** Variables whose value must be a number: another one falls back to the former, without an error. */
export const numbers: readonly string[] = ['mysql-max_connections']

type Names = readonly [string, string]

/** The tables that are loaded and saved together, with the pattern of their variables. */
export const groups: Readonly<Record<string, Names>> = {
  'MYSQL SERVERS': ['mysql_servers', '%'],
  'MYSQL USERS': ['mysql_users', '%'],
  'MYSQL QUERY RULES': ['mysql_query_rules', '%'],
  'MYSQL VARIABLES': ['global_variables', 'mysql-%'],
  'ADMIN VARIABLES': ['global_variables', 'admin-%'],
}
