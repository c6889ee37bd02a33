-- stagecraft: ignore SC201 numbers that no system holds
select 1 as day_number
