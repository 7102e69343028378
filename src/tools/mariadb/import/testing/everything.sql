create table every_type (
  id bigint unsigned not null auto_increment primary key, a tinyint, b smallint unsigned, c mediumint zerofill, d int, e bit(9),
  f decimal(30, 10), g float, h double, i date, j datetime(6), k timestamp(3) not null default '2020-01-02 03:04:05.678',
  l time(2), m year, n char(5), o varchar(100) character set latin1, p binary(4), q varbinary(50), r tinyblob, s blob,
  t mediumblob, u longblob, v tinytext, w text, x mediumtext, y longtext, z enum('a', 'b;c', 'it''s'), aa set('x', 'y'),
  ab json, ac point, ad geometry, ae inet6, af uuid, ag boolean, ah int as (d * 2) virtual, ai int as (d + 1) stored,
  aj varchar(20) default (concat('a', ';', 'b')), index (d), unique key (af), fulltext key (w)
) comment 'every; type -- and ''more'' DEFINER=`root`@`localhost`';
insert into every_type (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, ab, ac, ad, ae, af, ag)
values (-128, 65535, 7, -2147483648, b'101010101', -12345678901234567890.0123456789, 1.5, 2.25e-300, '1000-01-01',
  '9999-12-31 23:59:59.999999', '2026-11-27 23:59:59.123', '-838:59:59', 2026, 'é;€', 'ÄÖÜ', x'00ff0a27', x'5c27225c60',
  x'00', repeat(x'0001027f80ff', 500), 'm', repeat('y', 100000), 'tt', 'It''s; a "text" \\ with `all` -- of # it /* ; */ 😀\n\r\t\Z\0',
  'DELIMITER ;;', 'long', 'it''s', 'x,y', '{"a": [1, "b;c"]}', point(1.5, -2), st_geomfromtext('linestring(0 0,1 1)'), '::1',
  '123e4567-e89b-12d3-a456-426655440000', true);
insert into every_type (d) values (null), (0);
create table parent (id int primary key, name varchar(20) not null) engine=innodb;
create table child (id int primary key, parent_id int, constraint fk foreign key (parent_id) references parent (id) on delete cascade on update set null);
insert into parent values (1, 'one'), (2, 'two');
insert into child values (1, 1), (2, 2), (3, null);
create table `odd ``name` (`a;b` int check (`a;b` > 0), `select` text);
insert into `odd ``name` values (1, 'USE mysql;');
create table parts (id int, made date) partition by range (year(made)) (partition p0 values less than (2020), partition p1 values less than maxvalue);
insert into parts values (1, '2019-01-01'), (2, '2021-01-01');
create table log (id int auto_increment primary key, text varchar(200));
create sequence numbers start with 5 increment by 3;
create view joined as select c.id, p.name from child c join parent p on p.id = c.parent_id;
create algorithm=merge sql security invoker view over_view as select id from joined where name <> 'a;b' with cascaded check option;
set @modes = @@sql_mode;
delimiter $$
create trigger first_of_two before insert on parent for each row begin set new.name = concat(new.name, ';'); insert into log (text) values ('first; é'); end$$
create trigger second_of_two before insert on parent for each row follows first_of_two insert into log (text) values ('second')$$
create procedure fill(in how_many int, out done int) reads sql data comment 'fills; it'
begin
  -- DEFINER=`root`@`localhost` in a comment; 😀
  declare at int default 0;
  declare continue handler for not found set done = -1;
  while at < how_many do insert into log (text) values (concat('row ', at, ';')); set at = at + 1; end while;
  set done = at;
end$$
create function twice(n int) returns int deterministic sql security invoker return n * 2$$
set sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT'$$
create function said() returns varchar(50) character set utf8mb4 deterministic return 'a' || 'b;ü'$$
set sql_mode = @modes$$
create event nightly on schedule every 1 day starts '2030-01-01 03:00:00' on completion preserve disable comment 'at; night' do begin delete from log where id > 1000; select 1; end$$
delimiter ;
call fill(3, @done);
insert into parent values (3, 'three');
select nextval(numbers);
