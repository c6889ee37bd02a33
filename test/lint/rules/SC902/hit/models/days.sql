-- keeps its place
-- stagecraft: ignore SC203 joins two
select
    1 as day_number, -- stagecraft: ignore SC403 reads raw
    '-- stagecraft: ignore SC403 is text' as note

-- stagecraft: ignore
-- stagecraft: ignore because it is generated
-- stagecraft: ignored names are no suppression
