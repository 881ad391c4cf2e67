-- Every row with the number at which it stands; other tables use it in place of the location. (To count rows while they are read would
-- keep all cores but one waiting.)
CREATE VIEW skill AS SELECT rowid AS number, * FROM scanned
